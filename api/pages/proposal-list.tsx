// A list of proposals: cards with status, time left, turnout, quorum and votes by option; elsewhere a table.
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import { allSegments, Bar, Swatch } from '../view/bar.tsx'
import { type ItemColumn, Table } from '../view/blocks.tsx'
import { ProposalLink, Share, Status, Time, TimeLeft, Unknown } from '../view/parts.tsx'
import { OPTIONS, toSums } from '../words/options.ts'
import { shareTexts, turnoutText } from '../words/shares.ts'
import { findPeriodEnd } from '../words/status.ts'

type Of = { of: ProposalSummary }

const COLUMNS: readonly ItemColumn<ProposalSummary>[] = [
  {
    name: 'Proposal',
    cell: (item) => [
      <ProposalLink of={item} />,
      item.titleSource === 'metadata' && ' (title from the metadata)',
    ],
  },
  { name: 'Status', cell: (item) => <Status of={item} /> },
  {
    name: 'End of the period',
    cell: (item) => {
      // Of the open period, or else of the vote.
      const end = findPeriodEnd(item) ?? item.votingEndTime
      return end !== null && <Time of={end} />
    },
  },
  { name: 'Closed', cell: ({ closedTime }) => closedTime && <Time of={closedTime} /> },
  { name: 'Turnout', cell: ({ tally }) => tally && <Share of={tally.turnout} /> },
  { name: 'Quorum', cell: ({ tally }) => tally && <Share of={tally.quorum} /> },
  {
    name: 'Votes',
    cell: ({ tally }) => {
      const sums = tally && toSums(tally)
      const shares = sums ? shareTexts(OPTIONS.map(({ sum }) => sums[sum])) : []
      return shares.map((share, n) => `${OPTIONS[n]?.label} ${share}`).join(', ')
    },
  },
]

function TallySummary({ of: { tally } }: Of) {
  if (!tally) return null
  const { quorum, bondedTokens } = tally
  const sums = toSums(tally)
  const against = (
    <>
      Turnout <strong>{turnoutText(tally) ?? <Unknown />}</strong>, quorum <Share of={quorum} />
    </>
  )
  if (!sums || bondedTokens === null) return <p class="small">{against}</p>
  const segments = allSegments(sums)
  const shares = shareTexts(segments.map(({ value }) => value))
  return (
    <>
      <Bar segments={segments} whole={BigInt(bondedTokens)} mark={quorum} />
      <ul class="inline small legend">
        <li>{against}</li>
        {OPTIONS.map(({ fill, label }, n) => (
          <li>
            <Swatch of={fill} />
            {label} {shares[n] ?? '–'}
          </li>
        ))}
      </ul>
    </>
  )
}

/** `now` is the time of the block that the page shows. */
function PhaseTime({ of, now }: Of & { now: string }) {
  const { status, votingEndTime, depositEndTime, closedTime } = of
  if (status === 'voting_period') {
    return (
      <>
        voting ends <TimeLeft until={votingEndTime} now={now} />
      </>
    )
  }
  if (status === 'deposit_period') {
    return (
      <>
        deposit period ends <TimeLeft until={depositEndTime} now={now} />
      </>
    )
  }
  // The time of the close is not known before the first indexed height, but the end of the vote is.
  return (
    <>
      {closedTime === null ? 'voting ended ' : 'closed '}
      <Time of={closedTime ?? votingEndTime} />
    </>
  )
}

function Entry({ of, now }: Of & { now: string }) {
  return (
    <li class="entry" id={`proposal-${of.proposalId}`}>
      <p class="small soft entry-state">
        <Status of={of} />{' '}
        <span>
          <PhaseTime of={of} now={now} />
        </span>
        {of.titleSource === 'metadata' && [' ', <span>title from the metadata</span>]}
      </p>
      <h3>
        <ProposalLink of={{ ...of, round: null }} />
      </h3>
      <TallySummary of={of} />
    </li>
  )
}

type ListProps = {
  items: readonly ProposalSummary[]
  asOf: AsOf
  /** Says the order; empty if the page says it above the list. */
  caption: string
}

export function ProposalList({ items, asOf }: ListProps) {
  return (
    <ol class="entries">
      {items.map((item) => (
        <Entry of={item} now={asOf.time} />
      ))}
    </ol>
  )
}
ProposalList.text = ({ items, caption }: ListProps) => (
  <Table label="Proposals" caption={caption} columns={COLUMNS} items={items} />
)
