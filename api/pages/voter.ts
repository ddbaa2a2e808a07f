// `/voters/{address}`: the ballots of one account, newest proposal first.
import type { Static } from 'typebox'
import type { PageContext } from '../document/context.ts'
import {
  choices,
  code,
  link,
  occurrence,
  pool,
  proposal,
  soft,
  status,
  wordsOf,
} from '../document/line.ts'
import { voterFeedPath, voterPath, withQuery } from '../document/paths.ts'
import {
  amountColumn,
  column,
  facts,
  heading,
  type ItemColumn,
  paging,
  paragraph,
  quotations,
  table,
} from '../document/tree.ts'
import { pluralize } from '../in-words.ts'
import { voterVotes } from '../resources/records.ts'
import type { VoterBallotPage } from '../schemas/ballot.ts'
import { listDocument, type Page } from './page.ts'

type Data = Static<typeof VoterBallotPage>

const NOT_COUNTED = [' ', soft('(after the tally, not counted)')]

const COLUMNS: readonly ItemColumn<Data['items'][number]>[] = [
  column('Proposal', proposal),
  column('Status', (item) => status(item.status)),
  column('Vote', ({ options, counted, reason }) => [
    choices(options),
    !counted && NOT_COUNTED,
    wordsOf(reason),
  ]),
  amountColumn('Voting power', ({ votingPower }) => votingPower),
  column('Time and transaction', occurrence),
]

const CAPTION =
  'Newest proposal first. Voting power is from the tally, or the current one in an open vote.'

const NONE = paragraph(
  'No ballots of this address. ' +
    'If a delegator does not vote, its validators vote with its stake. ' +
    'The pages of the validators have these votes. ' +
    'Rollcall cannot distinguish an account that never voted from one that does not exist.',
)

const describeVoter = ({ page, pool: operated }: Data, address: string) =>
  facts(
    ['Address', code(address)],
    operated && ['Operates', [pool(operated), ': its ballots are the votes of this validator']],
    ['Ballots', page.totalItems],
    ['Follow', link(voterFeedPath(address), 'Feed of its votes (Atom)')],
    [
      'Proposals',
      link(withQuery('/proposals', { proposer: address }), 'submitted by this account'),
    ],
  )

const write = (data: Data, at: PageContext) => {
  const { address = '' } = at.params
  const { totalItems } = data.page
  const path = voterPath(address)
  return listDocument(data, at, {
    title: `Voter ${address}`,
    description: `${pluralize(totalItems, 'ballot')} of ${address}, newest proposal first, with voting power.`,
    path,
    above: link('/voters', 'Look up another voter'),
    heading: 'Voter',
    blocks: [
      describeVoter(data, address),
      quotations('Titles'),
      heading('Ballots'),
      totalItems === 0
        ? NONE
        : table({ label: 'Ballots', caption: CAPTION, columns: COLUMNS, items: data.items }),
      totalItems > 0 &&
        paging({
          list: data,
          itemNames: ['ballot', 'ballots'],
          path,
        }),
    ],
  })
}

export const voterPage: Page<Data> = {
  name: 'voter',
  path: '/voters/:address',
  parseRequest: voterVotes.parseRequest,
  write,
}
