// The votes by validator: the vote of each validator, its voting power, and the votes of its delegators.
import { noVotes, pluralize, poolStateInWords, votesOrder } from '../../in-words.ts'
import { OPTIONS, optionName } from '../../options.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { VoteRecord } from '../../schemas/vote.ts'
import {
  type Column,
  Paging,
  Quotations,
  Section,
  type SortableRow,
  SortableTable,
} from '../../view/blocks.tsx'
import {
  Amount,
  Choices,
  Drawn,
  LineBreak,
  Link,
  Occurrence,
  PoolLink,
  Quoted,
  Small,
  Soft,
  Time,
  Unknown,
  VoteWords,
} from '../../view/parts.tsx'
import { ballotsPath, proposalPath, readQuery } from '../../view/paths.ts'

type Of = { of: VoteRecord }
/** The path of the ballots of a validator's delegators. */
type ToBallots = (delegatedTo: string) => string

function VotedPool({ of: { pool } }: Of) {
  if (pool.counted) return <PoolLink of={pool} />
  const state = <Quoted text={poolStateInWords(pool)} />
  return (
    <>
      <PoolLink of={pool} />{' '}
      <Drawn text={['(', state, ')']}>
        <span class="tag quiet">{state}</span>
      </Drawn>
    </>
  )
}

type DelegatorProps = Of & { toBallots: ToBallots }

function DelegatorVotes({ of: { delegators, pool }, toBallots }: DelegatorProps) {
  if (delegators === null) return <Unknown />
  if (delegators.ballots === 0) return <Soft>none</Soft>
  const parts = OPTIONS.filter(({ sum }) => delegators[sum] !== '0')
  return (
    <>
      <Link to={toBallots(pool.operatorAddress)}>{pluralize(delegators.ballots, 'vote')}</Link>,{' '}
      <Amount base={delegators.votingPower} />
      <LineBreak />
      <Small>
        {parts.map(({ sum, label }, n) => (
          <>
            {n > 0 && <LineBreak />}
            {label} <Amount base={delegators[sum]} />
          </>
        ))}
      </Small>
    </>
  )
}
/** In a row of text, a URL and the sums of the options would be longer than the rest of it. */
DelegatorVotes.text = ({ of: { delegators } }: DelegatorProps) => {
  if (delegators === null) return <Unknown />
  if (delegators.ballots === 0) return 'none'
  return [`${pluralize(delegators.ballots, 'vote')}, `, <Amount base={delegators.votingPower} />]
}

function VotedAt({ of: { vote } }: Of) {
  return vote === null ? <>–</> : <Occurrence fact={vote} />
}
VotedAt.text = ({ of: { vote } }: Of) =>
  vote === null ? '–' : [<Time of={vote.time} />, vote.height !== null && `, block ${vote.height}`]

/** The value of the row in the vote filter. */
const toFilterChoice = ({ vote }: VoteRecord): readonly [value: string, name: string] => {
  if (!vote) return ['none', 'Did not vote']
  const [only, ...others] = vote.options
  if (!only || others.length > 0) return ['split', 'Split']
  return [only.option, optionName(only.option)]
}

const toWhole = (exact: string | null | undefined): string => exact?.split('.')[0] ?? ''

const COLUMNS: readonly Column[] = [
  { name: 'Validator' },
  { name: 'Validator vote' },
  { name: 'Voting power', isNumber: true },
  { name: 'Delegator votes' },
  { name: 'Voted' },
]

function OwnVote({ of: { vote } }: Of) {
  if (!vote) return <Soft>Did not vote</Soft>
  return (
    <>
      <Choices of={vote.options} />
      <VoteWords reason={vote.reason} />
    </>
  )
}

const toRow = (record: VoteRecord, toBallots: ToBallots): SortableRow => {
  const { vote, votingPower, delegators, rank } = record
  return {
    // A record without a rank is in no list of a page.
    rank: rank ?? 0,
    choice: toFilterChoice(record),
    cells: [
      { of: <VotedPool of={record} /> },
      { of: <OwnVote of={record} /> },
      { of: <Amount base={votingPower} />, sort: toWhole(votingPower) },
      {
        of: <DelegatorVotes of={record} toBallots={toBallots} />,
        sort: toWhole(delegators?.votingPower),
      },
      { of: <VotedAt of={record} />, sort: vote?.time ?? '' },
    ],
  }
}

export function Votes({ of: proposal }: { of: ProposalPageData }) {
  const { proposalId, votes, extras } = proposal
  const { totalItems } = votes.page
  if (!totalItems) {
    return (
      <Section id="votes" title="Votes by validator" isLive>
        <p>{noVotes(proposal)}</p>
      </Section>
    )
  }
  const round = extras.rounds.length > 1 ? `${extras.shownRound}` : ''
  const toBallots = (delegatedTo: string) => ballotsPath(proposalId, { delegatedTo, round })
  const toPage = (apiUrl: string) => {
    const query = round === '' ? '' : `round=${round}&`
    return `${proposalPath(proposalId)}?${query}page=${readQuery(apiUrl, 'page') || '0'}#votes`
  }
  return (
    <Section id="votes" title="Votes by validator" isLive>
      <Quotations of="Names of validators" />
      <p class="small soft">
        {votesOrder(votes)}. The vote of a validator counts with the stake of all its delegators who
        do not vote themselves.
      </p>
      <p>
        <Link to={ballotsPath(proposalId, { round })}>All ballots, also of delegators</Link>: who
        voted how, and whether an address voted.
      </p>
      <SortableTable
        label="Table of votes"
        rowName="validator"
        totalItems={totalItems}
        columns={COLUMNS}
        rows={votes.items.map((record) => toRow(record, toBallots))}
      />
      <Paging list={votes} itemNames={['validator', 'validators']} path={toPage} />
    </Section>
  )
}
