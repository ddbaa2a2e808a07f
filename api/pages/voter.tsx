// `/voters/{address}`: the ballots of one account, newest proposal first.
import type { Static } from 'typebox'
import { voterVotes } from '../resources/records.ts'
import type { VoterBallotPage } from '../schemas/ballot.ts'
import { Fact, Facts, type ItemColumn, Paging, Quotations, Table } from '../view/blocks.tsx'
import { Amount, Code, Link, Occurrence, PoolLink, ProposalLink, Status } from '../view/parts.tsx'
import { voterFeedPath, voterPath, withQuery } from '../view/paths.ts'
import { pluralize } from '../words/in-words.ts'
import { BallotVote } from './ballots.tsx'
import { listDocument, type Page } from './page.ts'

type Data = Static<typeof VoterBallotPage>

const COLUMNS: readonly ItemColumn<Data['items'][number]>[] = [
  { name: 'Proposal', cell: (item) => <ProposalLink of={item} /> },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Vote', cell: (item) => <BallotVote of={item} /> },
  {
    name: 'Voting power',
    isAmount: true,
    cell: ({ votingPower }) => <Amount base={votingPower} />,
  },
  { name: 'Time and transaction', cell: (item) => <Occurrence fact={item} /> },
]

const CAPTION =
  'Newest proposal first. Voting power is from the tally, or the current one in an open vote.'

function NoBallots() {
  return (
    <p>
      No ballots of this address. If a delegator does not vote, its validators vote with its stake.
      The pages of the validators have these votes. Rollcall cannot distinguish an account that
      never voted from one that does not exist.
    </p>
  )
}

function VoterFacts({ data: { page, pool }, address }: { data: Data; address: string }) {
  return (
    <Facts>
      <Fact name="Address">
        <Code>{address}</Code>
      </Fact>
      {pool && (
        <Fact name="Operates">
          <PoolLink of={pool} />: its ballots are the votes of this validator
        </Fact>
      )}
      <Fact name="Ballots">{page.totalItems}</Fact>
      <Fact name="Follow">
        <Link to={voterFeedPath(address)}>Feed of its votes (Atom)</Link>
      </Fact>
      <Fact name="Proposals">
        <Link to={withQuery('/proposals', { proposer: address })}>submitted by this account</Link>
      </Fact>
    </Facts>
  )
}

const write: Page<Data>['write'] = (data, at) => {
  const { address = '' } = at.params
  const { totalItems } = data.page
  const path = voterPath(address)
  return listDocument(data, at, {
    title: `Voter ${address}`,
    description: `${pluralize(totalItems, 'ballot')} of ${address}, newest proposal first, with voting power.`,
    path,
    above: <Link to="/voters">Look up another voter</Link>,
    heading: 'Voter',
    body: (
      <>
        <VoterFacts data={data} address={address} />
        <Quotations of="Titles" />
        <h2>Ballots</h2>
        {totalItems === 0 ? (
          <NoBallots />
        ) : (
          <>
            <Table label="Ballots" caption={CAPTION} columns={COLUMNS} items={data.items} />
            <Paging list={data} itemNames={['ballot', 'ballots']} path={path} />
          </>
        )}
      </>
    ),
  })
}

export const voterPage: Page<Data> = {
  name: 'voter',
  path: '/voters/:address',
  parseRequest: voterVotes.parseRequest,
  write,
}
