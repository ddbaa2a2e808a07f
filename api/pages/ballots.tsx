// `/proposals/{proposalId}/ballots`: who voted how, when, with which power, and against which validators.
import type { Static } from 'typebox'
import { addressKey } from '../../ingest/contract/address.ts'
import { type BallotPageFacts, type BallotPool, ballotTable } from '../resources/ballots.ts'
import type { Ballot, BallotTablePage } from '../schemas/ballot.ts'
import type { VoteReason } from '../schemas/vote.ts'
import { Details, Filters, type ItemColumn, Paging, Table } from '../view/blocks.tsx'
import {
  Amount,
  type Choice,
  Choices,
  Code,
  LineBreak,
  Link,
  Occurrence,
  PoolLink,
  ProposalLink,
  Small,
  Soft,
  Status,
  Unknown,
  VoteWords,
} from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'
import {
  type BallotFilters,
  ballotsPath,
  proposalPath,
  readQuery,
  voterPath,
} from '../view/paths.ts'
import { OPTIONS } from '../words/options.ts'
import { noVotes } from '../words/status.ts'
import { plainLine } from '../words/texts.ts'
import { listDocument, type Page, parseForm } from './page.ts'

type Data = Static<typeof BallotTablePage> & BallotPageFacts
type Chosen = Required<BallotFilters>
type Context = {
  proposalId: string
  chosen: Chosen
  byOperator: ReadonlyMap<string, BallotPool>
  byAccount: ReadonlyMap<string, BallotPool>
}

const toContext = ({ links, pools }: Data, at: PageContext): Context => {
  const get = (name: string) => readQuery(links.self, name)
  return {
    proposalId: at.params['proposalId'] ?? '',
    chosen: {
      voter: get('voter'),
      option: get('option'),
      delegatedTo: get('delegatedTo'),
      sort: get('sort'),
      round: get('round'),
    },
    byOperator: new Map(pools.map((each) => [each.operatorAddress, each])),
    byAccount: new Map(pools.map((each) => [addressKey(each.accountAddress), each])),
  }
}

/** The filters in force, in words. The round and the validator are in notes of their own. */
const describeFilters = ({ voter, option, sort }: Chosen): string => {
  const label = OPTIONS.find((each) => each.option === option)?.label ?? ''
  const named = [voter && `voter ${voter}`, label, sort === 'power' && 'by voting power']
  return named.filter(Boolean).join(', ')
}

function Form({ of: { proposalId, chosen } }: { of: Context }) {
  const { voter, option, delegatedTo, sort, round } = chosen
  const named = describeFilters(chosen)
  return (
    <Details
      id="filters"
      summary={named === '' ? 'Did an address vote? Filter and sort' : `Filters: ${named}`}
    >
      <Filters
        path={ballotsPath(proposalId)}
        label="Filter ballots"
        button="Filter"
        fields={[
          {
            name: 'voter',
            label: 'Did this address vote?',
            value: voter,
            input: {
              maxlength: '128',
              autocapitalize: 'none',
              autocomplete: 'off',
              spellcheck: 'false',
            },
          },
          {
            name: 'option',
            label: 'Vote',
            value: option,
            options: [['', 'Any'], ...OPTIONS.map((each) => [each.option, each.label] as const)],
          },
          {
            name: 'sort',
            label: 'Sort by',
            value: sort,
            options: [
              ['', 'First vote'],
              ['power', 'Voting power'],
            ],
          },
        ]}
        kept={[
          ['delegatedTo', delegatedTo],
          ['round', round],
        ]}
      />
    </Details>
  )
}

const isSameVote = (one: Ballot['options'], other: NonNullable<BallotPool['options']>): boolean =>
  one.length === other.length &&
  one.every(({ option, weight }) =>
    other.some((each) => each.option === option && each.weight === weight),
  )

function VoteOfPool({ ballot, pool }: { ballot: Ballot; pool: BallotPool | undefined }) {
  if (!pool?.options) return <>did not vote</>
  const shown = <Choices of={pool.options} />
  if (isSameVote(ballot.options, pool.options)) return <>also voted {shown}</>
  return <strong>voted {shown}</strong>
}

const MAX_DELEGATIONS = 3

/** The validators whose vote the ballot overrides. That of the filter is first. */
function Delegations({ ballot, of: { byOperator, chosen } }: { ballot: Ballot; of: Context }) {
  if (ballot.delegations === null) return <Unknown />
  if (ballot.delegations.length === 0) return <Soft>none</Soft>
  const isChosen = ({ operatorAddress }: { operatorAddress: string }) =>
    operatorAddress === chosen.delegatedTo
  const ordered = ballot.delegations.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
  const rest = ordered.length - MAX_DELEGATIONS
  return (
    <>
      {ordered.slice(0, MAX_DELEGATIONS).map(({ operatorAddress }, n) => (
        <>
          {n > 0 && <LineBreak />}
          <PoolLink of={byOperator.get(operatorAddress) ?? { operatorAddress, moniker: '' }} />{' '}
          <Small>
            <VoteOfPool ballot={ballot} pool={byOperator.get(operatorAddress)} />
          </Small>
        </>
      ))}
      {rest > 0 && [<LineBreak />, <Small>and {rest} more</Small>]}
    </>
  )
}

/** A validator votes with its operator's account. */
function Voter({ ballot: { voter }, of: { byAccount } }: { ballot: Ballot; of: Context }) {
  const operated = byAccount.get(addressKey(voter))
  return (
    <>
      <Link to={voterPath(voter)}>
        <Code>{voter}</Code>
      </Link>
      {operated && (
        <>
          <LineBreak />
          <Small>
            operates <PoolLink of={operated} />
          </Small>
        </>
      )}
    </>
  )
}

type VoteProps = {
  of: { options: readonly Choice[]; counted: boolean; reason?: VoteReason | null }
}

/** What the ballot says, and the words beside it. */
export function BallotVote({ of: { options, counted, reason } }: VoteProps) {
  return (
    <>
      <Choices of={options} />
      {!counted && [' ', <Soft>(after the tally, not counted)</Soft>]}
      <VoteWords reason={reason} />
    </>
  )
}

const toColumns = (context: Context): readonly ItemColumn<Ballot>[] => [
  { name: 'Voter', cell: (ballot) => <Voter ballot={ballot} of={context} /> },
  { name: 'Vote', cell: (ballot) => <BallotVote of={ballot} /> },
  {
    name: 'Voting power',
    isAmount: true,
    cell: ({ votingPower }) => <Amount base={votingPower} />,
  },
  { name: 'Delegates to', cell: (ballot) => <Delegations ballot={ballot} of={context} /> },
  { name: 'Time and transaction', cell: (ballot) => <Occurrence fact={ballot} /> },
]

const CAPTIONS = {
  rank: 'In the order of the first vote of each account.',
  power: 'Largest voting power first.',
}

function BallotTable({ data: { items }, of: context }: { data: Data; of: Context }) {
  return (
    <Table
      label="Ballots"
      caption={`${CAPTIONS[context.chosen.sort === 'power' ? 'power' : 'rank']} \
An account that votes overrides its validators for its own stake. A different vote of a validator is bold.`}
      columns={toColumns(context)}
      items={items}
    />
  )
}

function NoBallots({ data: { vote, page }, of }: { data: Data; of: Context }) {
  const { chosen, proposalId } = of
  const { voter: address, option, delegatedTo } = chosen
  if (address !== '' && option === '' && delegatedTo === '') {
    return (
      <p>
        <strong>This address did not vote itself.</strong> <Code>{address}</Code> has no ballot in
        this vote. If it delegated stake, its validators voted with it:{' '}
        <Link to={`${proposalPath(proposalId)}#votes`}>Votes by validator</Link>.{' '}
        <Link to={voterPath(address)}>All ballots of this address</Link>
      </p>
    )
  }
  const { totalItems } = page
  if (totalItems !== null && totalItems > 0) return <p>No ballots on this page.</p>
  const isFiltered = [address, option, delegatedTo].some((value) => value !== '')
  return (
    <p>
      {isFiltered && totalItems !== null
        ? 'No ballots match.'
        : noVotes({ status: vote.status, round: totalItems, tally: null })}
    </p>
  )
}

function PoolNote({ of: { chosen, byOperator } }: { of: Context }) {
  const { delegatedTo } = chosen
  if (delegatedTo === '') return null
  const known = byOperator.get(delegatedTo)
  return (
    <p>
      Delegators of <PoolLink of={known ?? { operatorAddress: delegatedTo, moniker: '' }} /> who
      voted themselves. The validator{' '}
      {known?.options ? (
        <>
          voted <Choices of={known.options} />
        </>
      ) : (
        'did not vote'
      )}
      .
    </p>
  )
}

function RoundNote({ data, of: { proposalId } }: { data: Data; of: Context }) {
  const { rounds, shownRound } = data.vote
  if (rounds.length < 2) return null
  const others = rounds.filter((round) => round !== shownRound)
  return (
    <p>
      Round {shownRound}. See also:{' '}
      {others.map((round, n) => [
        n > 0 && ', ',
        <Link to={ballotsPath(proposalId, { round: `${round}` })}>ballots of round {round}</Link>,
      ])}
      .
    </p>
  )
}

const write = (data: Data, at: PageContext) => {
  const context = toContext(data, at)
  const { proposalId, chosen } = context
  const { vote, items, page } = data
  const path = ballotsPath(proposalId, chosen)
  // The pages of the list are larger: the URL of the API has the filters alone.
  const source = `${at.baseUrl}/api${path}`
  const name = plainLine(proposalId)
  return listDocument({ ...data, links: { ...data.links, self: source } }, at, {
    title: `Ballots on proposal ${name}`,
    description: `Who voted how on proposal ${name}: \
each account with its vote, voting power, time and transaction.`,
    path,
    above: (
      <>
        <ProposalLink of={{ proposalId, title: vote.title }} /> <Status of={vote.status} />
      </>
    ),
    heading: 'Ballots',
    body: (
      <>
        <PoolNote of={context} />
        <RoundNote data={data} of={context} />
        <Form of={context} />
        {items.length === 0 ? (
          <NoBallots data={data} of={context} />
        ) : (
          <BallotTable data={data} of={context} />
        )}
        {(page.totalItems ?? 0) > 0 && (
          <Paging
            list={data}
            itemNames={['ballot', 'ballots']}
            path={ballotsPath(proposalId)}
            source={source}
          />
        )}
      </>
    ),
  })
}

export const ballotsPage: Page<Data> = {
  name: 'ballots',
  path: ballotTable.path,
  parseRequest: parseForm(ballotTable) as unknown as Page<Data>['parseRequest'],
  write,
}
