// `/pools/{operatorAddress}`: one validator, its participation, and its votes with those that it missed.
import type { PageContext } from '../document/context.ts'
import {
  choices,
  code,
  drawn,
  type Inline,
  link,
  occurrence,
  proposal,
  quoted,
  share,
  soft,
  status,
  strong,
  UNKNOWN,
  wordsOf,
} from '../document/line.ts'
import { poolFeedPath, poolPath, voterPath } from '../document/paths.ts'
import {
  amountColumn,
  type Block,
  column,
  facts,
  heading,
  type ItemColumn,
  numberColumn,
  paging,
  paragraph,
  quotations,
  table,
} from '../document/tree.ts'
import { validatorName } from '../headline.ts'
import { linkedText } from '../html/linked-text.ts'
import { poolData } from '../html/structured-data.ts'
import { pluralize, poolStateInWords } from '../in-words.ts'
import { isOpen } from '../proposal-status.ts'
import { poolVotes } from '../resources/records.ts'
import type { PoolRecordPage } from '../schemas/pool.ts'
import { cut } from '../shortened.ts'
import { listDocument, type Page } from './page.ts'
import { describeParticipation, MISSED, WHAT_A_POOL_IS } from './pool-words.ts'

type Data = PoolRecordPage
type Item = Data['items'][number]

const ownVote = ({ vote, missed, status: state }: Item): Inline => {
  if (vote) return [choices(vote.options), wordsOf(vote.reason)]
  if (missed) return strong('Missed')
  return soft(isOpen({ status: state }) ? 'Not voted yet' : 'Did not vote')
}

const COLUMNS: readonly ItemColumn<Item>[] = [
  column('Proposal', proposal),
  column('Status', (item) => status(item.status)),
  column('Validator vote', ownVote),
  amountColumn('Voting power', ({ votingPower }) => votingPower),
  column('Time and transaction', ({ vote }) => (vote ? occurrence(vote) : '–')),
  numberColumn('Delegator votes', ({ delegators }) => delegators?.ballots ?? UNKNOWN),
]

const CAPTION =
  'Newest proposal first. Voting power excludes the stake of delegators who voted themselves. ' +
  'Missed: the validator was counted in the final tally, and did not vote. ' +
  'A proposal with two rounds of voting has a row for each, and counts once in the participation.'

const participationInWords = (participation: Data['participation']): Inline => {
  const { proposalsVoted, proposalsMissed } = participation
  const all = proposalsVoted + proposalsMissed
  if (all === 0) return soft('No votes cast or missed yet.')
  const missed = proposalsMissed === 0 ? 'None missed.' : `${proposalsMissed} missed: ${MISSED}`
  const voted = strong(describeParticipation(participation))
  return ['Voted on ', voted, ` ${all === 1 ? 'proposal' : 'proposals'}. ${missed}`]
}

const MAX_TEXT = 512

const COMMISSION = { rate: 'now', maxRate: 'at most', maxChangeRate: 'increase a day at most' }

const describeCommission = (commission: NonNullable<Data['profile']>['commission']): Inline =>
  commission
    ? Object.entries(COMMISSION).map(
        ([name, words], order): Inline => [
          order > 0 && ', ',
          share(commission[name as keyof typeof COMMISSION]),
          ` ${words}`,
        ],
      )
    : UNKNOWN

/** Words of the operator: quoted, and never markup. */
const describeProfile = ({ profile, profileReason }: Data): readonly Block[] => {
  if (!profile) return [paragraph(['Profile: not known: ', quoted(profileReason)])]
  const { website, details, identity, commission, height } = profile
  const NONE = soft('None')
  return [
    heading('Profile'),
    facts(
      [
        'Website',
        website === null
          ? NONE
          : drawn(linkedText(cut(website, MAX_TEXT)), quoted(cut(website, MAX_TEXT))),
      ],
      ['Details', quoted(details && cut(details, MAX_TEXT), NONE)],
      ['Identity', quoted(identity && cut(identity, MAX_TEXT), NONE)],
      ['Commission', describeCommission(commission)],
    ),
    paragraph(`Written by the operator, not verified. As the chain had it at block ${height}.`),
  ]
}

const describePool = ({ items, participation, accountAddress }: Data, operatorAddress: string) => {
  const [latest] = items
  return facts(
    ['Operator address', code(operatorAddress)],
    accountAddress !== null && [
      'Votes with the account',
      link(voterPath(accountAddress), code(accountAddress)),
    ],
    latest && ['Status at the latest vote', quoted(poolStateInWords(latest.pool))],
    ['Participation', participationInWords(participation)],
    ['Follow', link(poolFeedPath(operatorAddress), 'Feed of its votes (Atom)')],
  )
}

const write = (data: Data, at: PageContext) => {
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
    data: poolData(name, operatorAddress, at),
    above: link('/pools', 'Validators'),
    heading: quoted(moniker, `Validator ${operatorAddress}`),
    blocks: [
      describePool(data, operatorAddress),
      ...describeProfile(data),
      WHAT_A_POOL_IS,
      quotations('The name and the profile of the validator (pool) and titles'),
      heading('Votes'),
      items.length === 0
        ? paragraph('No votes of this validator or its delegators on this page.')
        : table({ label: 'Votes', caption: CAPTION, columns: COLUMNS, items }),
      paging({
        list: data,
        itemNames: ['vote', 'votes'],
        path,
      }),
    ],
  })
}

export const poolPage: Page<Data> = {
  name: 'pool',
  path: '/pools/:operatorAddress',
  parseRequest: poolVotes.parseRequest,
  write,
}
