// `/pools/{operatorAddress}`: one validator, its participation, and its votes with those that it missed.
import { poolVotes } from '../resources/records.ts'
import type { PoolRecordPage } from '../schemas/pool.ts'
import { Facts, type ItemColumn, Paging, Quotations, Table } from '../view/blocks.tsx'
import {
  Amount,
  Choices,
  Code,
  Link,
  LinkedText,
  Occurrence,
  ProposalLink,
  Quoted,
  Share,
  Soft,
  Status,
  Unknown,
  VoteWords,
} from '../view/parts.tsx'
import { poolFeedPath, poolPath, voterPath } from '../view/paths.ts'
import { validatorName } from '../words/headline.ts'
import { pluralize } from '../words/in-words.ts'
import { cut } from '../words/shortened.ts'
import { isOpen, MISSED, poolStateInWords } from '../words/status.ts'
import { listDocument, type Page } from './page.ts'
import { VotedCount, WhatAPoolIs } from './pools.tsx'

type Data = PoolRecordPage
type Item = Data['items'][number]

function OwnVote({ of: { vote, missed, status } }: { of: Item }) {
  if (vote)
    return (
      <>
        <Choices of={vote.options} />
        <VoteWords reason={vote.reason} />
      </>
    )
  if (missed) return <strong>Missed</strong>
  return <Soft>{isOpen({ status }) ? 'Not voted yet' : 'Did not vote'}</Soft>
}

const COLUMNS: readonly ItemColumn<Item>[] = [
  { name: 'Proposal', cell: (item) => <ProposalLink of={item} /> },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Validator vote', cell: (item) => <OwnVote of={item} /> },
  {
    name: 'Voting power',
    isAmount: true,
    cell: ({ votingPower }) => <Amount base={votingPower} />,
  },
  {
    name: 'Time and transaction',
    cell: ({ vote }) => (vote ? <Occurrence fact={vote} /> : '–'),
  },
  {
    name: 'Delegator votes',
    isNumber: true,
    cell: ({ delegators }) => delegators?.ballots ?? <Unknown />,
  },
]

const CAPTION =
  'Newest proposal first. Voting power excludes the stake of delegators who voted themselves. ' +
  'Missed: the validator was counted in the final tally, and did not vote. ' +
  'A proposal with two rounds of voting has a row for each, and counts once in the participation.'

function VotedOn({ of }: { of: Data['participation'] }) {
  const { proposalsVoted, proposalsMissed } = of
  const all = proposalsVoted + proposalsMissed
  if (all === 0) return <Soft>No votes cast or missed yet.</Soft>
  return (
    <>
      Voted on{' '}
      <strong>
        <VotedCount of={of} />
      </strong>{' '}
      {all === 1 ? 'proposal' : 'proposals'}.{' '}
      {proposalsMissed === 0 ? 'None missed.' : `${proposalsMissed} missed: ${MISSED}`}
    </>
  )
}

const MAX_TEXT = 512

function Commission({ of }: { of: NonNullable<Data['profile']>['commission'] }) {
  if (!of) return <Unknown />
  return (
    <>
      <Share of={of.rate} /> now, <Share of={of.maxRate} /> at most, <Share of={of.maxChangeRate} />{' '}
      increase a day at most
    </>
  )
}

/** Words of the operator: quoted, and never markup. */
function Profile({ profile, profileReason }: Data) {
  if (!profile)
    return (
      <p>
        Profile: not known: <Quoted text={profileReason} />
      </p>
    )
  const { website, details, identity, commission, height } = profile
  const none = <Soft>None</Soft>
  return (
    <>
      <h2>Profile</h2>
      <Facts
        of={[
          ['Website', website === null ? none : <LinkedText text={cut(website, MAX_TEXT)} />],
          ['Details', <Quoted text={details && cut(details, MAX_TEXT)} otherwise={none} />],
          ['Identity', <Quoted text={identity && cut(identity, MAX_TEXT)} otherwise={none} />],
          ['Commission', <Commission of={commission} />],
        ]}
      />
      <p>Written by the operator, not verified. As the chain had it at block {height}.</p>
    </>
  )
}

function PoolFacts({ data, operatorAddress }: { data: Data; operatorAddress: string }) {
  const { items, participation, accountAddress } = data
  const [latest] = items
  return (
    <Facts
      of={[
        ['Operator address', <Code>{operatorAddress}</Code>],
        accountAddress !== null && [
          'Votes with the account',
          <Link to={voterPath(accountAddress)}>
            <Code>{accountAddress}</Code>
          </Link>,
        ],
        latest !== undefined && [
          'Status at the latest vote',
          <Quoted text={poolStateInWords(latest.pool)} />,
        ],
        ['Participation', <VotedOn of={participation} />],
        ['Follow', <Link to={poolFeedPath(operatorAddress)}>Feed of its votes (Atom)</Link>],
      ]}
    />
  )
}

const write: Page<Data>['write'] = (data, at) => {
  const { operatorAddress = '' } = at.params
  const { items, participation } = data
  const { proposalsVoted, proposalsMissed } = participation
  const moniker = items[0]?.pool.moniker ?? ''
  const name = validatorName(moniker, operatorAddress)
  const path = poolPath(operatorAddress)
  return listDocument(data, at, {
    title: name,
    description: `${name}: \
${pluralize(proposalsVoted, 'proposal')} voted on, ${proposalsMissed} missed. Each vote with its voting power.`,
    path,
    above: <Link to="/pools">Validators</Link>,
    heading: <Quoted text={moniker} otherwise={`Validator ${operatorAddress}`} />,
    body: (
      <>
        <PoolFacts data={data} operatorAddress={operatorAddress} />
        <Profile {...data} />
        <WhatAPoolIs />
        <Quotations of="The name and the profile of the validator (pool) and titles" />
        <h2>Votes</h2>
        {items.length === 0 ? (
          <p>No votes of this validator or its delegators on this page.</p>
        ) : (
          <Table label="Votes" caption={CAPTION} columns={COLUMNS} items={items} />
        )}
        <Paging list={data} itemNames={['vote', 'votes']} path={path} />
      </>
    ),
  })
}

export const poolPage: Page<Data> = {
  name: 'pool',
  path: '/pools/:operatorAddress',
  parseRequest: poolVotes.parseRequest,
  write,
}
