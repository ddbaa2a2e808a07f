// Why the history of a proposal is not complete, if it is not.
import { type Inline, quoted } from '../../document/line.ts'
import { plainReason } from '../../in-words.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

/** A sentence: what is missing, or how a past vote is known and what is not. Null if the history is complete. */
export const describeHistory = ({
  history,
  historyReason,
}: Pick<ProposalPageData, 'history' | 'historyReason'>): Inline => {
  if (history === 'complete') return null
  const reason = quoted(plainReason(historyReason ?? ''))
  return history === 'partial'
    ? ['Rollcall does not have the complete history of this proposal. Reason: ', reason, '.']
    : ['This vote ended before Rollcall followed the chain: ', reason, '.']
}
