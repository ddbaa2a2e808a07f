// The tool of an operation: how a language model finds it, and the short text that it reads of each result. Pure.
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import type { Tally } from '../schemas/tally.ts'
import type { VoteRecord } from '../schemas/vote.ts'
import { toPercent, truncateTo } from '../words/display-unit.ts'
import { computeShares } from '../words/shares.ts'
import { cut } from '../words/shortened.ts'
import { isOpen } from '../words/status.ts'

const MAX_TITLE_LENGTH = 80
const MAX_SENTENCE_LENGTH = 300

/** A text of others, for a model: with its escapes. */
export const quote = (text: string, maxLength = MAX_TITLE_LENGTH): string =>
  JSON.stringify(cut(text, maxLength))

/** A line of a list of sentences. */
export const listSentence = (sentence: string): string => `- ${cut(sentence, MAX_SENTENCE_LENGTH)}`

/** `"0.4312"` → `43.12 %`, truncated to two places. */
export const formatPercent = (share: string | null): string =>
  share === null ? 'not known' : `${toPercent(truncateTo(share, 4))} %`

/** To the minute. */
export const formatMoment = (time: string | null): string =>
  time === null ? 'a time that is not known' : `${time.slice(0, 16)}Z`

export const describeAsOf = ({ chainId, height, time, demo }: AsOf): string =>
  `As of block ${height} (${formatMoment(time)}) of ${chainId}${demo ? ', a demo chain with invented data' : ''}.`

const TALLIED = ['yes', 'no', 'abstain', 'noWithVeto'] as const

/** Options without votes are left out. */
export const describeTally = (tally: Tally | null): string => {
  if (tally === null) return 'no tally'
  const { matchesChainReason: reason } = tally
  if (tally.yes === null) return `votes not known${reason === null ? '' : ` (${quote(reason)})`}`
  const sums = TALLIED.map((option) => BigInt(tally[option] ?? '0'))
  const shares = sums.some((sum) => sum > 0n) ? computeShares(sums) : []
  const votes = TALLIED.flatMap((option, at) =>
    sums[at] === 0n ? [] : [`${option} ${formatPercent(shares[at] ?? null)}`],
  )
  return `${votes.join(', ') || 'no votes'}; turnout ${formatPercent(tally.turnout)}`
}

export const describeState = (proposal: ProposalSummary): string => {
  const { status, votingEndTime, depositEndTime, outcomeReason } = proposal
  if (status === 'voting_period') return `${status} until ${formatMoment(votingEndTime)}`
  if (isOpen(proposal)) return `${status} until ${formatMoment(depositEndTime)}`
  return outcomeReason === null ? status : `${status} (${outcomeReason})`
}

type Vote = NonNullable<VoteRecord['vote']>

const describeOptions = (options: Vote['options']): string =>
  options
    .map(({ option, weight }) =>
      Number(weight) === 1 ? option : `${option} ${formatPercent(weight)}`,
    )
    .join(', ')

/** With the words beside the vote, as a quotation. */
export const describeVote = (vote: Pick<Vote, 'options' | 'reason'> | null): string => {
  if (vote === null) return 'no vote of its own'
  const text = vote.reason?.metadata ?? vote.reason?.memo
  return `${describeOptions(vote.options)}${text ? ` ${quote(text)}` : ''}`
}

export const describePower = (power: string | null): string =>
  power === null ? 'power not known' : `power ${truncateTo(power, 0)}`

/** `rows` are lines of a list, which are left out first. */
export type Reading = { lines: readonly string[]; rows: readonly string[] }

type Named = {
  /** Permanent. */
  name: string
  title: string
  /** Facts that many tools share are in the instructions of the server. */
  description: string
}

export type OperationTool = Named & {
  /** Rows of a list that is a part of the result. By default as many as fit. */
  usualRows?: number
  /** A method type: it accepts only the body of its operation. */
  read(body: object): Reading
}

type WithAsOf = { asOf?: AsOf }

const listAsOf = ({ asOf }: WithAsOf): string[] => (asOf ? [describeAsOf(asOf)] : [])

/** `asOf` of the body follows the lines. */
export type ItemTool<Body> = Named &
  Pick<OperationTool, 'usualRows'> & { lines: (body: Body) => readonly string[] }

export const createItemTool = <Body>({ lines, ...tool }: ItemTool<Body>): OperationTool => ({
  ...tool,
  read: (body: Body & WithAsOf) => ({ lines: [...lines(body), ...listAsOf(body)], rows: [] }),
})

export type ListTool<Item, Body> = Named & {
  /** What the items are; by default the guide of the operation. */
  rows?: string
  row: (item: Item) => string
  /** About the list as a whole. */
  lines?: (body: Body) => readonly string[]
}

type List<Item> = { items: readonly Item[]; page: { totalItems: number | null }; asOf: AsOf }

/** `guide` names the items. */
const describeCount = ({ items, page }: List<unknown>, guide: string): string =>
  page.totalItems === null
    ? `Not known: ${guide}. historyReason of the proposal has the reason.`
    : `${items.length} of ${page.totalItems} ${guide}.`

export const createListTool = <Item, Body extends List<Item>>(
  { rows, row, lines = () => [], ...tool }: ListTool<Item, Body>,
  guide: string,
): OperationTool => ({
  ...tool,
  read: (body: Body) => ({
    lines: [describeCount(body, rows ?? guide), ...lines(body), ...listAsOf(body)],
    rows: body.items.map(row),
  }),
})
