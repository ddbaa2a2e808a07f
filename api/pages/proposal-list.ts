// A list of proposals: drawn as cards with bars, and elsewhere a table.
import type { PageContext } from '../document/context.ts'
import { type Inline, proposal, share, status, time } from '../document/line.ts'
import { type Block, column, type ItemColumn, picture, table } from '../document/tree.ts'
import { entries } from '../html/entries.ts'
import { OPTIONS } from '../options.ts'
import { findPeriodEnd } from '../proposal-status.ts'
import { toSums } from '../read/queries/outcome.ts'
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import { shareTexts } from '../shares.ts'

const describeTitle = (item: ProposalSummary): Inline => [
  proposal(item),
  item.titleSource === 'metadata' && ' (title from the metadata)',
]

const describeVotes = ({ tally }: ProposalSummary): Inline => {
  const sums = tally && toSums(tally)
  const shares = sums ? shareTexts(OPTIONS.map(({ sum }) => sums[sum])) : []
  return shares.map((each, n) => `${n > 0 ? ', ' : ''}${OPTIONS[n]?.label} ${each}`)
}

/** Of the open period, or else of the vote. */
const describeEnd = (item: ProposalSummary): Inline => {
  const end = findPeriodEnd(item) ?? item.votingEndTime
  return end !== null && time(end)
}

const COLUMNS: readonly ItemColumn<ProposalSummary>[] = [
  column('Proposal', describeTitle),
  column('Status', status),
  column('End of the period', describeEnd),
  column('Closed', ({ closedTime }) => closedTime && time(closedTime)),
  column('Turnout', ({ tally }) => tally && share(tally.turnout)),
  column('Quorum', ({ tally }) => tally && share(tally.quorum)),
  column('Votes', describeVotes),
]

type Proposals = { items: readonly ProposalSummary[]; asOf: AsOf }

/** `caption` says the order; empty if the page says it above the list. */
export const proposalList = ({ items, asOf }: Proposals, caption: string, at: PageContext): Block =>
  picture(
    entries(items, { at, now: asOf.time }),
    table({ label: 'Proposals', caption, columns: COLUMNS, items }),
  )
