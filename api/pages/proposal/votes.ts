// The votes by validator: the vote of each validator, its voting power, and the votes of its delegators.
import { html } from '../../../infra/base/html/html.ts'
import type { PageContext } from '../../document/context.ts'
import * as inHtml from '../../document/html/inline.ts'
import { renderInline } from '../../document/html/render.ts'
import {
  amount,
  choices,
  drawn,
  type Inline,
  lineBreak,
  link,
  pool,
  quoted,
  small,
  soft,
  time,
  UNKNOWN,
  wordsOf,
} from '../../document/line.ts'
import { ballotsPath, proposalPath, readQuery } from '../../document/paths.ts'
import {
  type Block,
  type Column,
  paging,
  paragraph,
  quotations,
  type SortableRow,
  section,
  sortable,
} from '../../document/tree.ts'
import { noVotes, pluralize, poolStateInWords, votesOrder } from '../../in-words.ts'
import { OPTIONS, optionName } from '../../options.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { VoteRecord } from '../../schemas/vote.ts'

/** `toBallots` has the path of the ballots of a validator's delegators. */
type Context = { at: PageContext; toBallots: (delegatedTo: string) => string }

const describePool = ({ pool: voted }: VoteRecord): Inline => {
  if (voted.counted) return pool(voted)
  const state = poolStateInWords(voted)
  const tag = drawn(html`<span class="tag quiet">${inHtml.untrustedText(state)}</span>`, [
    '(',
    quoted(state),
    ')',
  ])
  return [pool(voted), ' ', tag]
}

const delegatorVotes = (
  { delegators, pool: { operatorAddress } }: VoteRecord,
  { at, toBallots }: Context,
): Inline => {
  if (delegators === null) return UNKNOWN
  if (delegators.ballots === 0) return soft('none')
  const count = pluralize(delegators.ballots, 'vote')
  const power = amount(delegators.votingPower)
  const parts = OPTIONS.filter(({ sum }) => delegators[sum] !== '0').map(({ sum, label }, n) => [
    n > 0 && lineBreak,
    `${label} `,
    amount(delegators[sum]),
  ])
  const all = [link(toBallots(operatorAddress), count), ', ', power, lineBreak, small(parts)]
  // In a row of text, a URL and the sums of the options would be longer than the rest of it.
  return drawn(renderInline(all, at), [count, ', ', power])
}

const votedAt = ({ vote }: VoteRecord, { at }: Context): Inline =>
  vote === null
    ? '–'
    : drawn(inHtml.occurrence(vote, at), [
        time(vote.time),
        vote.height !== null && `, block ${vote.height}`,
      ])

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

const toRow = (record: VoteRecord, context: Context): SortableRow => {
  const { vote, votingPower, delegators, rank } = record
  return {
    // A record without a rank is in no list of a page.
    rank: rank ?? 0,
    choice: toFilterChoice(record),
    cells: [
      { of: describePool(record) },
      { of: vote ? [choices(vote.options), wordsOf(vote.reason)] : soft('Did not vote') },
      { of: amount(votingPower), sort: toWhole(votingPower) },
      { of: delegatorVotes(record, context), sort: toWhole(delegators?.votingPower) },
      { of: votedAt(record, context), sort: vote?.time ?? '' },
    ],
  }
}

export const writeVotes = (proposal: ProposalPageData, at: PageContext): Block => {
  const { proposalId, votes, extras } = proposal
  const heading = { id: 'votes', title: 'Votes by validator', isLive: true }
  const { totalItems } = votes.page
  if (!totalItems) return section(heading, paragraph(noVotes(proposal)))
  const round = extras.rounds.length > 1 ? `${extras.shownRound}` : ''
  const toBallots = (delegatedTo: string) => ballotsPath(proposalId, { delegatedTo, round })
  const toPage = (apiUrl: string) => {
    const query = round === '' ? '' : `round=${round}&`
    return `${proposalPath(proposalId)}?${query}page=${readQuery(apiUrl, 'page') || '0'}#votes`
  }
  return section(
    heading,
    quotations('Names of validators'),
    paragraph(
      `${votesOrder(votes)}. The vote of a validator counts ` +
        'with the stake of all its delegators who do not vote themselves.',
      'small soft',
    ),
    paragraph([
      link(ballotsPath(proposalId, { round }), 'All ballots, also of delegators'),
      ': who voted how, and whether an address voted.',
    ]),
    sortable({
      label: 'Table of votes',
      rowName: 'validator',
      totalItems,
      columns: COLUMNS,
      rows: votes.items.map((record) => toRow(record, { at, toBallots })),
    }),
    paging({ list: votes, itemNames: ['validator', 'validators'], path: toPage }),
  )
}
