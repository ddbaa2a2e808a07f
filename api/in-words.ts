// Counts, durations and sources of texts in words.
import { isOpen } from './proposal-status.ts'
import type { Health } from './schemas/health.ts'
import type { ProposalSummary } from './schemas/proposal.ts'
import type { Tally } from './schemas/tally.ts'

/** `1 page`, `2 pages`. */
export const pluralize = (count: number | string, one: string, many = `${one}s`): string =>
  `${count} ${`${count}` === '1' ? one : many}`

type ListedPage = { number: number | null; totalItems: number | null; totalPages: number }

/** `41 validators, page 1 of 2`: the items of a list, and the shown page if there are several. */
export const describePage = (
  { number, totalItems, totalPages }: ListedPage,
  [one, many]: readonly [one: string, many: string],
): string => {
  if (totalItems === null) return `The ${many} are not known`
  const where = number === null || totalPages < 2 ? '' : `, page ${number + 1} of ${totalPages}`
  return `${pluralize(totalItems, one, many)}${where}`
}

/** About a proposal without messages. */
export const NOTHING_EXECUTED =
  'This proposal does nothing by itself: it is a text to agree on, and changes nothing on the chain.'

const describeCounting = ({ name, provedAt, reported }: Tally['rule']): string | null => {
  if (!reported)
    return provedAt === null ? null : `The node counted the same at height ${provedAt}.`
  return name === null || name === 'own'
    ? 'Counted by the node itself: Rollcall does not know this chain’s rules.'
    : 'Counted by the node itself: Rollcall does not know all delegations of the voters.'
}

type OpenTally = Pick<Tally, 'final' | 'rule' | 'stakeAt'>

/** How the tally of an open vote is known; null if there is nothing to say. */
export const describeRule = ({ final, rule, stakeAt }: OpenTally): string | null => {
  if (final) return null
  const stake = stakeAt === null ? null : `Stake as of block ${stakeAt}.`
  const sentences = [describeCounting(rule), stake].filter((sentence) => sentence !== null)
  return sentences.length === 0 ? null : sentences.join(' ')
}

/** What the site is for. */
export const PURPOSE =
  'See every proposal of this chain, who voted how, and check the count yourself.'

/** A time in UTC, to the second: `2026-11-21 08:00:00 UTC`. */
export const utcTime = (time: string): string =>
  `${time.replace('T', ' ').replace(/(\.\d+)?Z$/, '')} UTC`

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** The whole number of each unit, from days to seconds. */
export const splitDuration = (seconds: number) => {
  let rest = Math.floor(seconds)
  return UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return { unit, count }
  })
}

/** `about 3 days`: the largest unit, rounded down. */
export const durationInWords = (seconds: number): string => {
  const largest = splitDuration(seconds).find(({ count }) => count > 0)
  return largest ? `about ${pluralize(largest.count, largest.unit)}` : 'less than a second'
}

/** Words of operators, with the words of readers. */
const PLAIN_WORDS: readonly (readonly [words: RegExp, plain: string])[] = [
  [/\b(?:the )?first indexed height (\d+)/g, 'block $1, the first one that Rollcall has'],
  [/\bthe first indexed height\b/g, 'the first block that Rollcall has'],
  [/\brefused \([\w/.-]+ \d+\)/g, 'refused'],
  [/\brpc error: code = \w+ desc = /g, ''],
  [/\bheight (?=\d)/g, 'block '],
  [/\bnode\b/g, 'server'],
]

/** A recorded reason in the words of readers. A node is a server of the chain. */
export const plainReason = (reason: string): string =>
  PLAIN_WORDS.reduce((text, [words, plain]) => text.replace(words, plain), reason)

const POOL_STATES: ReadonlyMap<string, string> = new Map([
  ['bonded', 'active'],
  ['unbonding', 'leaving'],
  ['unbonded', 'not active'],
])

/** Whether and why a pool counts. */
export type PoolStanding = { status: string; jailed: boolean; counted: boolean }

/** `active`, or `leaving, jailed`: the state of a validator in its staking module. */
export const poolStateInWords = ({ status, jailed, counted }: PoolStanding): string => {
  const state = POOL_STATES.get(status) ?? status.replaceAll('_', ' ')
  if (jailed) return `${state}, jailed`
  return status === 'bonded' && !counted ? `${state}, not counted in votes` : state
}

/** `title and description` if both texts of a proposal are from its metadata; empty if none is. */
export const textsFromMetadata = ({
  titleSource,
  summarySource,
}: Pick<ProposalSummary, 'titleSource' | 'summarySource'>): string =>
  [titleSource === 'metadata' && 'title', summarySource === 'metadata' && 'description']
    .filter(Boolean)
    .join(' and ')

/** How many past votes are recomputed, and how many cannot be; their reason follows. */
export const describeHistory = ({
  total,
  done,
  unreachable,
}: NonNullable<Health['history']>): string => {
  const recomputed = `${done} of ${pluralize(total, 'proposal')} that ended before the first indexed height are recomputed.`
  return unreachable === 0
    ? recomputed
    : `${recomputed} No endpoint can show ${unreachable} of them.`
}

/** A sentence without its period. The URL of the list has the sort order. */
export const votesOrder = ({ links }: { links: { self: string } }): string =>
  new URLSearchParams(links.self.split('?', 2)[1] ?? '').get('sort') === 'power'
    ? 'Largest voting power first'
    : 'In the order of first appearance in the log'

/** The text for a proposal without a tally. */
export const votingNotStarted = (status: string): string =>
  status === 'deposit_period' ? 'Voting has not started.' : 'Voting did not start.'

type VoteFacts = {
  status: string
  round: number | null
  tally: { ballots: number | null } | null
}

/** The text for an empty list of votes. Without a number of ballots, the votes of a closed proposal are unknown. */
export const noVotes = (proposal: VoteFacts): string => {
  if (isOpen(proposal)) return 'No votes yet.'
  const { round, tally } = proposal
  const isKnown = round === 0 || (tally !== null && tally.ballots !== null)
  return isKnown ? 'No votes.' : 'The votes are not known.'
}
