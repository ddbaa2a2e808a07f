// Why a proposal is in its state: the rule that rejected it, or the failure of its execution; whether its count was compared with
// that of the chain; and what of its history is missing.
import type { ComponentChildren } from 'preact'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { ProposalSummary } from '../../schemas/proposal.ts'
import type { Tally } from '../../schemas/tally.ts'
import type { PageContext } from '../../view/context.ts'
import { Drawn, Quoted, Reason, Share, Sign, Unknown } from '../../view/parts.tsx'
import { convertInText } from '../../words/display-unit.ts'
import { quotation } from '../../words/headline.ts'
import { findVoted, toSums } from '../../words/options.ts'
import { shareText, turnoutText } from '../../words/shares.ts'

const LONGEST_REASON = 400

/** The text of a failure can be from a contract, so it is a quotation. Amounts keep their narrow spaces. */
function Failure({ of }: { of: string }, at: Pick<PageContext, 'unit'>) {
  const quoted = quotation(of, LONGEST_REASON)
  const text = at.unit ? convertInText(quoted, at.unit) : quoted
  return (
    <>
      The vote passed, but its execution failed. The chain reports:{' '}
      <Drawn text={<Quoted text={text} />}>
        <bdi dir="auto">{text}</bdi>
      </Drawn>
    </>
  )
}

const RULES: Readonly<
  Record<NonNullable<ProposalSummary['outcomeReason']>, (tally: Tally) => ComponentChildren>
> = {
  quorum_not_reached: (tally) => (
    <>
      The turnout of {turnoutText(tally) ?? <Unknown />} did not reach the quorum of{' '}
      <Share of={tally.quorum} />.
    </>
  ),
  vetoed: (tally) => {
    const sums = toSums(tally)
    return (
      <>
        {sums ? shareText(sums.noWithVeto, findVoted(tally)) : <Unknown />} voted No with veto. A
        proposal is rejected above <Share of={tally.vetoThreshold} />.
      </>
    )
  },
  threshold_not_met: (tally) => {
    const sums = toSums(tally)
    const decided = sums ? findVoted(tally) - sums.abstain : 0n
    return (
      <>
        {sums && decided > 0n ? shareText(sums.yes, decided) : 'None'} voted Yes, without counting
        Abstain. More than <Share of={tally.threshold} /> was needed.
      </>
    )
  },
}

/** A sentence; null if there is nothing to explain. */
export function explainOutcome(proposal: ProposalSummary): ComponentChildren {
  const { outcomeReason, tally, status, failedReason } = proposal
  if (outcomeReason !== null && tally !== null) return RULES[outcomeReason](tally)
  return status === 'failed' && failedReason !== null ? <Failure of={failedReason} /> : null
}

const BADGES: Readonly<
  Record<Tally['matchesChain'], readonly [sign: string, text: string, tagClass: string]>
> = {
  yes: ['✓', 'Matches the chain', 'good'],
  no: ['✕', 'Differs from the chain', ''],
  unknown: ['?', 'Not compared with the chain', 'quiet'],
}

/** Whether the count of Rollcall equals that of the chain, with a link to the evidence. */
export function MatchBadge({ of }: { of: Tally['matchesChain'] }) {
  const [sign, text, tagClass] = BADGES[of]
  return (
    <a class={`tag ${tagClass}`} href="#evidence">
      <Sign of={sign} />
      {text}
    </a>
  )
}

type Known = Pick<ProposalPageData, 'history' | 'historyReason'>

/** A sentence: what is missing, or how a past vote is known and what is not. Null if the history is complete. */
export function explainHistory({ history, historyReason }: Known): ComponentChildren {
  if (history === 'complete') return null
  const reason = <Reason of={historyReason} />
  return history === 'partial' ? (
    <>Rollcall does not have the complete history of this proposal. Reason: {reason}.</>
  ) : (
    <>This vote ended before Rollcall followed the chain: {reason}.</>
  )
}
