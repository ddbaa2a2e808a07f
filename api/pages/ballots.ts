// `/proposals/{proposalId}/ballots`: who voted how, when, with which power, and against which validators.
import type { Static } from 'typebox'
import { addressKey } from '../../ingest/contract/address.ts'
import type { PageContext } from '../document/context.ts'
import {
  choices,
  code,
  type Inline,
  lineBreak,
  link,
  occurrence,
  pool,
  proposal,
  small,
  soft,
  status,
  strong,
  UNKNOWN,
  wordsOf,
} from '../document/line.ts'
import {
  type BallotFilters,
  ballotsPath,
  proposalPath,
  readQuery,
  voterPath,
} from '../document/paths.ts'
import {
  amountColumn,
  type Block,
  column,
  filters,
  folded,
  type ItemColumn,
  paging,
  paragraph,
  table,
} from '../document/tree.ts'
import { noVotes } from '../in-words.ts'
import { OPTIONS } from '../options.ts'
import { plainLine } from '../plain-text.ts'
import { type BallotPageFacts, type BallotPool, ballotsPage as list } from '../resources/ballots.ts'
import type { Ballot, BallotTablePage } from '../schemas/ballot.ts'
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

const form = ({ proposalId, chosen }: Context): Block => {
  const { voter, option, delegatedTo, sort, round } = chosen
  const named = describeFilters(chosen)
  const summary = named === '' ? 'Did an address vote? Filter and sort' : `Filters: ${named}`
  return folded(
    'filters',
    summary,
    filters({
      path: ballotsPath(proposalId),
      label: 'Filter ballots',
      button: 'Filter',
      fields: [
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
      ],
      kept: [
        ['delegatedTo', delegatedTo],
        ['round', round],
      ],
    }),
  )
}

const isSameVote = (one: Ballot['options'], other: NonNullable<BallotPool['options']>): boolean =>
  one.length === other.length &&
  one.every(({ option, weight }) =>
    other.some((each) => each.option === option && each.weight === weight),
  )

const poolVote = ({ options }: Ballot, voted: BallotPool | undefined): Inline => {
  if (!voted?.options) return 'did not vote'
  const shown = choices(voted.options)
  return isSameVote(options, voted.options) ? ['also voted ', shown] : strong(['voted ', shown])
}

const MAX_DELEGATIONS = 3

/** The validators whose vote the ballot overrides. That of the filter is first. */
const delegations = (ballot: Ballot, { byOperator, chosen }: Context): Inline => {
  if (ballot.delegations === null) return UNKNOWN
  if (ballot.delegations.length === 0) return soft('none')
  const isChosen = ({ operatorAddress }: { operatorAddress: string }) =>
    operatorAddress === chosen.delegatedTo
  const ordered = ballot.delegations.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
  const rest = ordered.length - MAX_DELEGATIONS
  const shown = ordered.slice(0, MAX_DELEGATIONS).map(({ operatorAddress }, n) => {
    const known = byOperator.get(operatorAddress)
    const name = pool(known ?? { operatorAddress, moniker: '' })
    return [n > 0 && lineBreak, name, ' ', small(poolVote(ballot, known))]
  })
  return [shown, rest > 0 && [lineBreak, small(`and ${rest} more`)]]
}

/** A validator votes with its operator's account. */
const voter = ({ voter: address }: Ballot, { byAccount }: Context): Inline => {
  const operated = byAccount.get(addressKey(address))
  const account = link(voterPath(address), code(address))
  return [account, operated && [lineBreak, small(['operates ', pool(operated)])]]
}

const NOT_COUNTED = [' ', soft('(after the tally, not counted)')]

const columns = (context: Context): readonly ItemColumn<Ballot>[] => [
  column('Voter', (ballot) => voter(ballot, context)),
  column('Vote', ({ options, counted, reason }) => [
    choices(options),
    !counted && NOT_COUNTED,
    wordsOf(reason),
  ]),
  amountColumn('Voting power', ({ votingPower }) => votingPower),
  column('Delegates to', (ballot) => delegations(ballot, context)),
  column('Time and transaction', occurrence),
]

const CAPTIONS = {
  rank: 'In the order of the first vote of each account.',
  power: 'Largest voting power first.',
}

const ballotTable = ({ items }: Data, context: Context): Block =>
  table({
    label: 'Ballots',
    caption: `${CAPTIONS[context.chosen.sort === 'power' ? 'power' : 'rank']} \
An account that votes overrides its validators for its own stake. A different vote of a validator is bold.`,
    columns: columns(context),
    items,
  })

const noBallots = ({ vote, page }: Data, { chosen, proposalId }: Context): Block => {
  const { voter: address, option, delegatedTo } = chosen
  if (address !== '' && option === '' && delegatedTo === '') {
    const votes = link(`${proposalPath(proposalId)}#votes`, 'Votes by validator')
    return paragraph([
      strong('This address did not vote itself.'),
      ' ',
      code(address),
      ' has no ballot in this vote. If it delegated stake, its validators voted with it: ',
      votes,
      '. ',
      link(voterPath(address), 'All ballots of this address'),
    ])
  }
  const { totalItems } = page
  if (totalItems !== null && totalItems > 0) return paragraph('No ballots on this page.')
  const isFiltered = [address, option, delegatedTo].some((value) => value !== '')
  return paragraph(
    isFiltered && totalItems !== null
      ? 'No ballots match.'
      : noVotes({ status: vote.status, round: totalItems, tally: null }),
  )
}

const poolNote = ({ chosen: { delegatedTo }, byOperator }: Context): Block => {
  if (delegatedTo === '') return null
  const known = byOperator.get(delegatedTo)
  const own = known?.options ? ['voted ', choices(known.options)] : 'did not vote'
  const name = pool(known ?? { operatorAddress: delegatedTo, moniker: '' })
  return paragraph(['Delegators of ', name, ' who voted themselves. The validator ', own, '.'])
}

const roundNote = ({ vote: { rounds, shownRound } }: Data, { proposalId }: Context): Block => {
  if (rounds.length < 2) return null
  const others = rounds
    .filter((round) => round !== shownRound)
    .map((round) =>
      link(ballotsPath(proposalId, { round: `${round}` }), `ballots of round ${round}`),
    )
  return paragraph([
    `Round ${shownRound}. See also: `,
    others.map((each, n) => [n > 0 && ', ', each]),
    '.',
  ])
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
    above: [proposal({ proposalId, title: vote.title }), ' ', status(vote.status)],
    heading: 'Ballots',
    blocks: [
      poolNote(context),
      roundNote(data, context),
      form(context),
      items.length === 0 ? noBallots(data, context) : ballotTable(data, context),
      (page.totalItems ?? 0) > 0 &&
        paging({
          list: data,
          itemNames: ['ballot', 'ballots'],
          path: ballotsPath(proposalId),
          source,
        }),
    ],
  })
}

export const ballotsPage: Page<Data> = {
  name: 'ballots',
  path: list.path,
  parseRequest: parseForm(list) as unknown as Page<Data>['parseRequest'],
  write,
}
