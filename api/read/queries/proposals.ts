// Reads proposals, newest first, with the tally of their current round.

import { MAX_LISTED_TYPES } from '../../../ingest/contract/bounds.ts'
import { TABLE, type TallyRow } from '../../../projections/contract/read-model.ts'
import {
  buildLatestTable,
  requireConsistent,
  requireInSnapshot,
  requireOneState,
  type StoreReads,
  selectRows,
} from './as-of.ts'
import type { ListedRow } from './proposal-rows.ts'

export type ProposalFilter = {
  /** Undefined for all. */
  statuses?: readonly string[] | undefined
  proposer?: string | undefined
  /** The type or package of a message, with a leading slash. */
  messageType?: string | undefined
  /** A text in title, summary, authors or forum link, case-insensitive. */
  text?: string | undefined
  /** The bech32 form of a text that is an address. It also finds the proposals of this account. */
  address?: string | undefined
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
const SHORT_TEXTS = ['title', 'summary', 'metadata', 'failed_reason'].map(
  (column) => `substringUTF8(${column}, 1, ${READ_LENGTH}) AS ${column}`,
)
/** A row of an earlier version has the types of all messages. */
const SHORT_TYPES = `arraySlice(message_types, 1, ${MAX_LISTED_TYPES}) AS message_types`
const SHORT_COLUMNS = `* REPLACE (${[...SHORT_TEXTS, SHORT_TYPES].join(', ')})`

const NO_CONDITION = '1'

/** `searched` has the parameters whose values are searched. */
const buildTextCondition = (searched: readonly ('text' | 'address')[]): string =>
  searched
    .flatMap((parameter) => {
      const has = (value: string) =>
        `positionCaseInsensitiveUTF8(${value}, {${parameter}:String}) > 0`
      const texts = ['title', 'summary', `ifNull(forum_url, '')`].map(has)
      return [...texts, `arrayExists(name -> ${has('name')}, authors)`]
    })
    .join(' OR ')

const buildCondition = (filter: ProposalFilter): string => {
  const { statuses, proposer, messageType, text, address } = filter
  const conditions = [NO_CONDITION]
  if (statuses) conditions.push('status IN {statuses:Array(String)}')
  if (proposer !== undefined) conditions.push('proposer = {proposer:String}')
  if (messageType !== undefined) {
    const isIt = 'type = {messageType:String}'
    const isInIt = `startsWith(type, concat({messageType:String}, '.'))`
    const types = 'arrayConcat(message_types, further_message_types)'
    conditions.push(`arrayExists(type -> ${isIt} OR ${isInIt}, ${types})`)
  }
  if (text !== undefined && address === undefined) {
    conditions.push(`(${buildTextCondition(['text'])})`)
  }
  if (address !== undefined) {
    const isProposer = `ifNull(proposer, '') = {address:String}`
    conditions.push(`(${buildTextCondition(['text', 'address'])} OR ${isProposer})`)
  }
  return conditions.join(' AND ')
}

const buildRange = ({ below }: ProposalRange): string =>
  `${below === undefined ? '' : 'AND proposal_id < {below:UInt64}'}
   ORDER BY proposal_id DESC LIMIT {limit:UInt64} OFFSET {offset:UInt64}`

export const readProposals = async (
  reads: StoreReads,
  filter: ProposalFilter,
  range: ProposalRange,
): Promise<ListedProposals> => {
  const { snapshot } = reads
  const given = Object.entries({ ...filter, ...range }).filter(([, value]) => value !== undefined)
  const params = Object.fromEntries(given)
  const proposals = buildLatestTable(snapshot, TABLE.proposals)
  const condition = buildCondition(filter)
  const from = `${proposals} WHERE ${condition}`
  const select = <Row>(sql: string) => selectRows<Row>(reads, sql, params)
  const readCount = () =>
    select<{ total: string; latest: string }>(
      `SELECT countIf(${condition}) AS total, max(version) AS latest FROM ${proposals}`,
    )
  const isFiltered = condition !== NO_CONDITION
  const [rows, tallies, counted] = await Promise.all([
    select<ListedRow>(
      `SELECT ${SHORT_COLUMNS} FROM (
         SELECT * EXCEPT (messages, context, changes) FROM ${from} ${buildRange(range)}
       ) ORDER BY proposal_id DESC`,
    ),
    select<TallyRow>(
      `SELECT * FROM ${buildLatestTable(snapshot, TABLE.tallies)}
       WHERE proposal_id IN (SELECT proposal_id FROM ${from} ${buildRange(range)})`,
    ),
    isFiltered ? undefined : readCount(),
  ])
  // A replaced row may no longer match the filter. Only this count detects it, if it runs after the other queries.
  const [count] = counted ?? (await readCount())
  const rounds = new Map(rows.map((row) => [row.proposal_id, row.round]))
  const current = tallies.filter((tally) => rounds.get(tally.proposal_id) === tally.round)
  requireInSnapshot(snapshot, count?.latest)
  requireConsistent(current, snapshot)
  for (const row of rows) requireOneState(row, [], snapshot)
  return {
    rows,
    tallies: new Map(current.map((tally) => [tally.proposal_id, tally])),
    total: Number(count?.total ?? 0),
  }
}
