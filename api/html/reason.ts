// Why a proposal did not do what it asks for: the rule that rejected it, or the failure of its execution.

import { type Html, html } from '../../infra/base/html/html.ts'
import { convertInText } from '../display-unit.ts'
import type { PageContext } from '../document/context.ts'
import { share, UNKNOWN } from '../document/html/inline.ts'
import { quotation } from '../headline.ts'
import { sumVotes, toSums } from '../read/queries/outcome.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import type { Tally } from '../schemas/tally.ts'
import { shareText, turnoutText } from '../shares.ts'

const LONGEST_REASON = 400

/** The text of a failure can be from a contract, so it is a quotation. */
const failureText = (failedReason: string, { unit }: PageContext): Html => {
  const quoted = quotation(failedReason, LONGEST_REASON)
  const text = unit ? convertInText(quoted, unit) : quoted
  return html`The vote passed, but its execution failed. The chain reports: <bdi dir="auto">${text}</bdi>`
}

const RULES: Readonly<
  Record<NonNullable<ProposalSummary['outcomeReason']>, (tally: Tally) => Html>
> = {
  quorum_not_reached: (tally) =>
    html`The turnout of ${turnoutText(tally) ?? UNKNOWN} did not reach the quorum of ${share(tally.quorum)}.`,
  vetoed: (tally) => {
    const sums = toSums(tally)
    const veto = sums ? shareText(sums.noWithVeto, sumVotes(sums)) : UNKNOWN
    return html`${veto} voted No with veto. A proposal is rejected above ${share(tally.vetoThreshold)}.`
  },
  threshold_not_met: (tally) => {
    const sums = toSums(tally)
    const decided = sums ? sumVotes(sums) - sums.abstain : 0n
    const yes = sums && decided > 0n ? shareText(sums.yes, decided) : 'None'
    return html`${yes} voted Yes, without counting Abstain. More than ${share(tally.threshold)} was needed.`
  },
}

/** Null if there is nothing to explain. */
export const reasonSentence = (
  { outcomeReason, tally, status, failedReason }: ProposalSummary,
  at: PageContext,
): Html | null => {
  if (outcomeReason !== null && tally !== null) return RULES[outcomeReason](tally)
  return status === 'failed' && failedReason !== null ? failureText(failedReason, at) : null
}
