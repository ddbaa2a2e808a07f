// Why a proposal did not do what it asks for: the rule that rejected it, or the failure of its execution.
import { html } from '../../../infra/base/html/html.ts'
import { convertInText } from '../../display-unit.ts'
import type { PageContext } from '../../document/context.ts'
import { drawn, type Inline, quoted, share, UNKNOWN } from '../../document/line.ts'
import { quotation } from '../../headline.ts'
import { findVoted, toSums } from '../../read/queries/outcome.ts'
import type { ProposalSummary } from '../../schemas/proposal.ts'
import type { Tally } from '../../schemas/tally.ts'
import { shareText, turnoutText } from '../../shares.ts'

const LONGEST_REASON = 400

/** The text of a failure can be from a contract, so it is a quotation. */
const describeFailure = (failedReason: string, { unit }: PageContext): Inline => {
  const quotedReason = quotation(failedReason, LONGEST_REASON)
  const text = unit ? convertInText(quotedReason, unit) : quotedReason
  // Amounts keep their narrow spaces.
  const shown = drawn(html`<bdi dir="auto">${text}</bdi>`, quoted(text))
  return ['The vote passed, but its execution failed. The chain reports: ', shown]
}

const RULES: Readonly<
  Record<NonNullable<ProposalSummary['outcomeReason']>, (tally: Tally) => Inline>
> = {
  quorum_not_reached: (tally) => {
    const turnout = turnoutText(tally) ?? UNKNOWN
    return ['The turnout of ', turnout, ' did not reach the quorum of ', share(tally.quorum), '.']
  },
  vetoed: (tally) => {
    const sums = toSums(tally)
    const veto = sums ? shareText(sums.noWithVeto, findVoted(tally)) : UNKNOWN
    const limit = share(tally.vetoThreshold)
    return [veto, ' voted No with veto. A proposal is rejected above ', limit, '.']
  },
  threshold_not_met: (tally) => {
    const sums = toSums(tally)
    const decided = sums ? findVoted(tally) - sums.abstain : 0n
    const yes = sums && decided > 0n ? shareText(sums.yes, decided) : 'None'
    const limit = share(tally.threshold)
    return [yes, ' voted Yes, without counting Abstain. More than ', limit, ' was needed.']
  },
}

/** A sentence; null if there is nothing to explain. */
export const describeReason = (
  { outcomeReason, tally, status, failedReason }: ProposalSummary,
  at: PageContext,
): Inline => {
  if (outcomeReason !== null && tally !== null) return RULES[outcomeReason](tally)
  return status === 'failed' && failedReason !== null ? describeFailure(failedReason, at) : null
}
