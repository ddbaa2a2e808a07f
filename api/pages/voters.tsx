// `/voters`: the form to look up a voter by its address. `/voters/{address}`: the ballots of one account, newest proposal first.
import type { Static } from 'typebox'
import type { AddressPrefixes } from '../read/queries/addresses.ts'
import { voterVotes } from '../resources/records.ts'
import type { VoterBallotPage } from '../schemas/ballot.ts'
import { Facts, type ItemColumn, Paging, Quotations, Table } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import {
  Amount,
  Code,
  Link,
  Occurrence,
  PoolLink,
  ProposalLink,
  Status,
  toHref,
} from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'
import { voterFeedPath, voterPath, withQuery } from '../view/paths.ts'
import { pluralize } from '../words/in-words.ts'
import { plainLine } from '../words/texts.ts'
import { BallotVote } from './ballots.tsx'
import { listDocument, type Page } from './page.ts'

/** The input, why it is not valid, and the prefixes of examples. */
type LookUp = { address: string; problem: string | null; prefixes: AddressPrefixes | null }

const toExample = (prefix: string | null | undefined): string =>
  prefix === null || prefix === undefined ? '' : `, such as ${prefix}1…`

const describeAddress = ({ prefixes }: LookUp): string =>
  `Your address${toExample(prefixes?.account)}. The form 0x… works too. ` +
  `The address of a validator${toExample(prefixes?.operator)}, opens its page.`

function Form({ data }: { data: LookUp }, at: PageContext) {
  const { address, problem } = data
  return (
    <form class="look-up" action={toHref('/voters', at)} method="get">
      <label for="address">Address</label>
      {problem !== null && (
        <p id="address-problem" class="mistake">
          <strong>This is not a valid address.</strong> It {problem}
        </p>
      )}
      <div class="row">
        <input
          id="address"
          name="address"
          type="text"
          value={address}
          aria-describedby={problem === null ? 'address-hint' : 'address-problem address-hint'}
          aria-invalid={problem === null ? 'false' : 'true'}
          required
          maxlength={128}
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Look up</button>
      </div>
      <p id="address-hint" class="soft">
        {describeAddress(data)}
      </p>
    </form>
  )
}
Form.text = ({ data }: { data: LookUp }, { baseUrl }: PageContext) => (
  <>
    {data.problem !== null && (
      <p>{`${plainLine(data.address)} is not a valid address: it ${data.problem}.`}</p>
    )}
    <p>
      <code>{`GET ${baseUrl}/voters/{address}`}</code> has every ballot of one account.
    </p>
    <Facts of={[['Address', describeAddress(data)]]} />
  </>
)

export function writeVoters(data: LookUp): Document {
  return {
    title: data.problem === null ? 'Look up a voter' : 'This is not a valid address',
    heading: 'Look up a voter',
    description: 'Every ballot of one address: the proposal, the vote and its voting power.',
    path: '/voters',
    body: (
      <>
        <p>Enter the address of an account to see all its ballots, with their voting power.</p>
        <Form data={data} />
      </>
    ),
  }
}

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
  const whose = pool && <PoolLink of={pool} />
  return (
    <Facts
      of={[
        ['Address', <Code>{address}</Code>],
        whose !== null && ['Operates', [whose, ': its ballots are the votes of this validator']],
        ['Ballots', page.totalItems],
        ['Follow', <Link to={voterFeedPath(address)}>Feed of its votes (Atom)</Link>],
        [
          'Proposals',
          <Link to={withQuery('/proposals', { proposer: address })}>
            submitted by this account
          </Link>,
        ],
      ]}
    />
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
