// The votes by validator: the vote of each validator, its voting power, and the votes of its delegators. Then the validators that
// have not voted, by bonded tokens.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { VoteRecord } from '../../schemas/vote.ts'
import {
  Details,
  type ItemColumn,
  Numbers,
  Paging,
  Quotations,
  Section,
  Table,
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
import { pluralize } from '../../words/in-words.ts'
import { OPTIONS, optionName } from '../../words/options.ts'
import { noVotes, poolStateInWords } from '../../words/status.ts'

/** A sentence without its period. The URL of the list has the sort order. */
const votesOrder = ({ links }: { links: { self: string } }): string =>
  new URLSearchParams(links.self.split('?', 2)[1] ?? '').get('sort') === 'power'
    ? 'Largest voting power first'
    : 'In the order of first appearance in the log'

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

/** A record without a rank is in no list of a page. */
const toPlace = ({ rank, vote }: VoteRecord) => {
  const [only, ...others] = vote?.options ?? []
  const choice = !vote
    ? { value: 'none', name: 'Did not vote' }
    : !only || others.length > 0
      ? { value: 'split', name: 'Split' }
      : { value: only.option, name: optionName(only.option) }
  return { rank: rank ?? 0, ...choice }
}

const toWhole = (exact: string | null | undefined): string => exact?.split('.')[0] ?? ''

function OwnVote({ of: { vote } }: Of) {
  if (!vote) return <Soft>Did not vote</Soft>
  return (
    <>
      <Choices of={vote.options} />
      <VoteWords reason={vote.reason} />
    </>
  )
}

const toColumns = (toBallots: ToBallots): readonly ItemColumn<VoteRecord>[] => [
  { name: 'Validator', cell: (record) => <VotedPool of={record} /> },
  { name: 'Validator vote', cell: (record) => <OwnVote of={record} /> },
  {
    name: 'Voting power',
    isNumber: true,
    cell: ({ votingPower }) => <Amount base={votingPower} />,
    sort: ({ votingPower }) => toWhole(votingPower),
  },
  {
    name: 'Delegator votes',
    cell: (record) => <DelegatorVotes of={record} toBallots={toBallots} />,
    sort: ({ delegators }) => toWhole(delegators?.votingPower),
  },
  {
    name: 'Voted',
    cell: (record) => <VotedAt of={record} />,
    sort: ({ vote }) => vote?.time ?? '',
  },
]

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
      <Table
        label="Table of votes"
        columns={toColumns(toBallots)}
        items={votes.items}
        sortable={{ rowName: 'validator', totalItems, place: toPlace }}
      />
      <Paging list={votes} itemNames={['validator', 'validators']} path={toPage} />
    </Section>
  )
}

const SHOWN = 15

type NonVotingPools = NonNullable<ProposalPageData['extras']['nonVotingPools']>

const TITLE = 'Non-voting validators'

const NONE = {
  final: 'No validator is known to have missed this vote.',
  open: 'All active validators have voted.',
}

const EXPLAINED = {
  final: (total: number) =>
    `${pluralize(total, 'validator was', 'validators were')} in the tally and did not vote. ` +
    'The stake is that of the tally. It includes delegators who voted themselves.',
  open: (total: number) =>
    `${pluralize(total, 'active validator has', 'active validators have')} not voted yet. ` +
    'The stake is the current one.',
}

function PoolTable({ pools, label }: { pools: NonVotingPools['pools']; label: string }) {
  return (
    <Numbers
      label={label}
      columns={['Validator', 'Stake']}
      rows={pools.map((pool) => [<PoolLink of={pool} />, <Amount base={pool.bondedTokens} />])}
    />
  )
}

/** Only a validator whose delegators voted has a row above, so its filter finds fewer of them. */
const countRowsAbove = ({ votes }: ProposalPageData, { pools, total }: NonVotingPools): string => {
  if (votes.page.totalPages > 1 || pools.length < total) return ''
  const missing = new Set(pools.map(({ operatorAddress }) => operatorAddress))
  const listed = votes.items.filter(
    ({ vote, pool: { operatorAddress } }) => vote === null && missing.has(operatorAddress),
  ).length
  if (listed === total) return ''
  const some =
    listed === 0 ? 'None of them has' : `${listed} of them ${listed === 1 ? 'has' : 'have'}`
  return ` ${some} a row in the table above: a row needs a vote of the validator or of a delegator.`
}

function Found({ of: proposal, found }: { of: ProposalPageData; found: NonVotingPools }) {
  const { isFinal, total, pools, unknownReason } = found
  const state = isFinal ? 'final' : 'open'
  if (unknownReason !== null) {
    return (
      <p>
        It is not known which validators did not vote: <Quoted text={unknownReason} />.
      </p>
    )
  }
  if (total === 0) return <p>{NONE[state]}</p>
  const rest = pools.slice(SHOWN)
  return (
    <>
      <p>
        {EXPLAINED[state](total)}
        {countRowsAbove(proposal, found)}
      </p>
      <PoolTable pools={pools.slice(0, SHOWN)} label={`Table: ${TITLE}`} />
      {rest.length > 0 && (
        <Details id="non-voting-rest" summary={`${rest.length} more`}>
          <PoolTable pools={rest} label={`Table: ${TITLE}, continued`} />
        </Details>
      )}
    </>
  )
}

export function NonVoting({ of: proposal }: { of: ProposalPageData }) {
  const { nonVotingPools } = proposal.extras
  if (!nonVotingPools) return null
  return (
    <Section id="non-voting" title={TITLE} isLive>
      <Found of={proposal} found={nonVotingPools} />
    </Section>
  )
}
