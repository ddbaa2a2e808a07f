// Reads proposals, newest first or the best match first, with the tally of their current round.

import type { TallyRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import {
  buildLatestTable,
  countRows,
  requireConsistent,
  requireOneState,
  type StoreReads,
  selectFrom,
  takeCharacters,
} from './as-of.ts'
import type { ListedRow } from './proposal.ts'

export type ProposalFilter = {
  /** Undefined for all. */
  statuses?: readonly string[] | undefined
  /** Of the address of the proposer. */
  proposerKey?: string | undefined
  /** The type or package of a message, with a leading slash. */
  messageType?: string | undefined
  /** All of them are in title, summary, authors or forum link. Proposals with all in the title are first. */
  words?: readonly string[] | undefined
  /** With `words`: also finds the proposal with this id. */
  number?: string | undefined
  /** With `words`: the text to find in their place, if they are an address. */
  address?: string | undefined
  /** With `address`: it also finds the proposals of this account. */
  addressKey?: string | undefined
}

export type ProposalRange = { below?: string | undefined; offset: number; limit: number }

export type ListedProposals = {
  rows: ListedRow[]
  tallies: ReadonlyMap<string, TallyRow>
  /** The number of proposals that match the filter. */
  total: number
}

/** Longer than any text of a list item, so that a shortened text is recognized. The detail has the whole texts. */
const READ_LENGTH = 20_000
const shortened = takeCharacters(READ_LENGTH)
const LISTED = TABLES.proposals.except(['messages', 'changes'], {
  title: shortened,
  summary: shortened,
  metadata: shortened,
  failedReason: shortened,
})

const NO_CONDITION = '1'

/** Line ends separate the texts: no word contains one. */
const TEXTS = `concat(title, '\\n', summary, '\\n', ifNull(forum_url, ''), '\\n', arrayStringConcat(authors, '\\n'))`

/** Without regard to capital letters. */
const hasAllWords = (text: string): string =>
  `arrayAll(at -> at > 0, multiSearchAllPositionsCaseInsensitiveUTF8(${text}, {words:Array(String)}))`

const buildTextCondition = ({ address, number }: ProposalFilter): string => {
  const alternatives = [hasAllWords(TEXTS)]
  if (number !== undefined) alternatives.push('proposal_id = {number:UInt64}')
  if (address !== undefined) {
    alternatives.push(`positionCaseInsensitiveUTF8(${TEXTS}, {address:String}) > 0`)
    alternatives.push(`ifNull(proposer_key, '') = {addressKey:String}`)
  }
  return `(${alternatives.join(' OR ')})`
}

/** The proposal with the number is first, then those with all words in the title. */
const buildRelevance = ({ number }: ProposalFilter): string => {
  const isNumber = number === undefined ? '0' : 'proposal_id = {number:UInt64}'
  return `multiIf(${isNumber}, 2, ${hasAllWords('title')}, 1, 0)`
}

const buildCondition = (filter: ProposalFilter): string => {
  const { statuses, proposerKey, messageType, words } = filter
  const conditions = [NO_CONDITION]
  if (statuses) conditions.push('status IN {statuses:Array(String)}')
  if (proposerKey !== undefined) conditions.push('proposer_key = {proposerKey:String}')
  if (messageType !== undefined) {
    const isIt = 'type = {messageType:String}'
    const isInIt = `startsWith(type, concat({messageType:String}, '.'))`
    const types = 'arrayConcat(message_types, further_message_types)'
    conditions.push(`arrayExists(type -> ${isIt} OR ${isInIt}, ${types})`)
  }
  if (words !== undefined) conditions.push(buildTextCondition(filter))
  return conditions.join(' AND ')
}

type Order = { columns: string; isAfter: string }

const NEWEST_FIRST: Order = {
  columns: 'proposal_id DESC',
  isAfter: 'proposal_id < {below:UInt64}',
}

/** The texts of a proposal never change, so its id is enough to find its place in either order. */
const buildOrder = (filter: ProposalFilter, proposals: string): Order => {
  if (filter.words === undefined) return NEWEST_FIRST
  const relevance = buildRelevance(filter)
  const place = `SELECT ${relevance} FROM ${proposals} WHERE proposal_id = {below:UInt64} LIMIT 1`
  return {
    columns: `${relevance} DESC, proposal_id DESC`,
    isAfter: `(${relevance}, proposal_id) < (ifNull((${place}), 0), {below:UInt64})`,
  }
}

const buildRange = ({ below }: ProposalRange, { columns, isAfter }: Order): string =>
  `${below === undefined ? '' : `AND ${isAfter}`}
   ORDER BY ${columns} LIMIT {limit:UInt64} OFFSET {offset:UInt64}`

export const readProposals = async (
  reads: StoreReads,
  filter: ProposalFilter,
  range: ProposalRange,
): Promise<ListedProposals> => {
  const { snapshot } = reads
  const given = Object.entries({ ...filter, ...range }).filter(([, value]) => value !== undefined)
  const params = Object.fromEntries(given)
  const proposals = buildLatestTable(snapshot, TABLES.proposals)
  const condition = buildCondition(filter)
  const order = buildOrder(filter, proposals)
  const found = `${proposals} WHERE ${condition} ${buildRange(range, order)}`
  const readCount = () => countRows(reads, proposals, params, condition)
  const isFiltered = condition !== NO_CONDITION
  const [rows, tallies, counted] = await Promise.all([
    selectFrom(
      reads,
      LISTED,
      `(
         SELECT * EXCEPT (messages, changes) FROM ${found}
       ) ORDER BY ${order.columns}`,
      params,
    ),
    selectFrom(
      reads,
      TABLES.tallies.all,
      `${buildLatestTable(snapshot, TABLES.tallies)}
       WHERE proposal_id IN (SELECT proposal_id FROM ${found})`,
      params,
    ),
    isFiltered ? undefined : readCount(),
  ])
  // A replaced row may no longer match the filter. Only this count detects it, if it runs after the other queries.
  const total = counted ?? (await readCount())
  const rounds = new Map(rows.map((row) => [row.proposalId, row.round]))
  const current = tallies.filter((tally) => rounds.get(tally.proposalId) === tally.round)
  requireConsistent(current, snapshot)
  for (const row of rows) requireOneState(row, [], snapshot)
  return {
    rows,
    tallies: new Map(current.map((tally) => [tally.proposalId, tally])),
    total,
  }
}
