// `GET /feed.atom?pool=` and `?voter=`: the votes of one account, those that it missed, and those on which it had not
// voted when their last day began. Newest first. An entry changes only with the vote: it has no status.

import { isMissed } from '../../projections/contract/missed-votes.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import {
  type Account,
  type AccountChange,
  readAccountChanges,
} from '../read/queries/account-changes.ts'
import { buildLatestTable, type StoreReads, selectRows } from '../read/queries/as-of.ts'
import { poolNames } from '../read/queries/pools.ts'
import { readProposalInfo } from '../read/queries/records.ts'
import { formatTime, formatTimestamp } from '../read/queries/values.ts'
import { chainVersion, type Query } from '../read/query.ts'
import { isRecomputed } from '../read/snapshot.ts'
import { createAccountsQuery } from '../resources/accounts.ts'
import type { RequestParser } from '../resources/operation.ts'
import { invalidParameters, POOL_PARAMETER, parseQuery } from '../resources/parameters.ts'
import type { AsOf } from '../schemas/common.ts'
import { choicesText } from '../view/parts.tsx'
import { poolFeedPath, poolPath, voterFeedPath, voterPath } from '../view/paths.ts'
import { quotation, validatorName } from '../words/headline.ts'
import { utcTime } from '../words/in-words.ts'
import { MISSED } from '../words/status.ts'
import {
  type Entry,
  type FeedContext,
  feedDocument,
  linkElement,
  toUrn,
  UNKNOWN_TIME,
} from './atom.ts'

type Missed = { kind: 'missed'; proposalId: string; round: number; time: string }
type Item = (AccountChange | Missed) & { time: string }

export type AccountFeedData = {
  account: Account
  moniker: string
  items: readonly (Item & { title: string })[]
  links: { self: string }
  asOf: AsOf
}

const MAX_ENTRIES = 100
const LONGEST_TITLE = 120

const readMissed = async (reads: StoreReads, operator: string): Promise<Missed[]> => {
  const proposals = buildLatestTable(reads.snapshot, TABLES.proposals)
  const rows = await selectRows<{ proposal_id: string; round: number; ended: string | null }>(
    reads,
    `SELECT proposal_id, round, ifNull(closed_time, voting_end_time) AS ended FROM ${proposals}
     WHERE (proposal_id, round) IN (
       SELECT proposal_id, round FROM ${buildLatestTable(reads.snapshot, TABLES.missedVotes)}
       WHERE operator_address = {operator:String} AND ${isMissed(proposals)}
     )
     ORDER BY ended DESC, proposal_id DESC LIMIT {limit:UInt64}`,
    { operator, limit: MAX_ENTRIES },
  )
  return rows.map(({ proposal_id: proposalId, round, ended }) => {
    const time = formatTimestamp(ended) ?? UNKNOWN_TIME
    return { kind: 'missed', proposalId, round, time }
  })
}

/** A vote that ended before the first indexed height is read later. */
const toItem = (change: AccountChange, { watermarks }: StoreReads['snapshot']): Item => {
  const watermark = watermarks.get(change.proposalId)
  const isPast = watermark?.final === true && isRecomputed(watermark)
  const known = isPast ? UNKNOWN_TIME : formatTime(change.timeMs)
  return { ...change, time: (change.kind === 'vote' ? change.vote.time : null) ?? known }
}

type Named = { pool?: readonly string[] | undefined; voter?: string | undefined }

const createQuery = ({
  pool,
  voter,
}: Named): Query<Omit<AccountFeedData, 'links' | 'asOf'>, AccountFeedData> => {
  const named = createAccountsQuery({ pool, voter: voter === undefined ? [] : [voter] })
  return {
    name: `feed of ${named.name}`,
    proposalId: null,
    version: chainVersion,
    isFinal: () => false,
    read: async (reads) => {
      const [accounts, names] = await Promise.all([reads.use(named), reads.use(poolNames)])
      const [account] = accounts.value.values()
      if (!account) throw new Error('a feed is of one account')
      const { operatorAddress } = account
      const range = { afterMs: 0, untilMs: reads.snapshot.timeMs, limit: MAX_ENTRIES }
      const [{ changes }, missed] = await Promise.all([
        readAccountChanges(reads, accounts.value, range),
        operatorAddress === null ? [] : readMissed(reads, operatorAddress),
      ])
      const items = [
        ...missed,
        ...changes.map((change) => toItem(change, reads.snapshot)).toReversed(),
      ]
        .sort((one, other) => (one.time === other.time ? 0 : one.time < other.time ? 1 : -1))
        .slice(0, MAX_ENTRIES)
      const proposals = await readProposalInfo(reads, [
        ...new Set(items.map(({ proposalId }) => proposalId)),
      ])
      const titles = new Map(proposals.map(({ proposalId, title }) => [proposalId, title]))
      const value = {
        account,
        moniker:
          names.value.find((each) => each.operatorAddress === operatorAddress)?.moniker ?? '',
        items: items.map((item) => ({ ...item, title: titles.get(item.proposalId) ?? '' })),
      }
      return { value, isUncached: true }
    },
    complete: (value, { asOf, baseUrl }) => {
      const { voter: address, operatorAddress } = value.account
      const path = operatorAddress === null ? voterPath(address) : poolPath(operatorAddress)
      return { ...value, links: { self: `${baseUrl}/api${path}/votes` }, asOf }
    },
  }
}

export const parseAccountFeedRequest: RequestParser<AccountFeedData>['parseRequest'] = ({
  query,
}) => {
  const named = parseQuery(query, ['pool', 'voter'], { own: POOL_PARAMETER })
  if (named.pool && named.voter !== undefined) {
    throw invalidParameters([{ parameter: 'voter', detail: 'cannot be combined with pool' }])
  }
  return { query: createQuery(named), params: {} }
}

const nameChange = (item: Item): string => {
  const on = ` on proposal ${item.proposalId}`
  if (item.kind === 'vote') return `Voted ${choicesText(item.vote.options)}${on}`
  if (item.kind === 'missed') return `Missed the vote${on}`
  return item.voted === null
    ? `It is not known who voted${on} when its last day began`
    : `No vote${on} when its last day began`
}

const describe = (item: Item): string => {
  if (item.kind === 'missed') return `Missed the vote: ${MISSED}`
  if (item.kind === 'vote') {
    const { options, time, height } = item.vote
    const when = time === null ? '' : ` on ${utcTime(time)}`
    return `Voted ${choicesText(options)}${when}${height === null ? '.' : ` in block ${height}.`}`
  }
  const { votingEndTime, votedReason } = item
  const end = votingEndTime === null ? '' : ` Voting ends on ${utcTime(votingEndTime)}.`
  const state = votedReason === null ? 'No vote' : `It is not known who voted: ${votedReason}; as`
  return `${state} of ${utcTime(item.time)}.${end}`
}

type Of = { data: AccountFeedData; at: FeedContext }

const toEntry = (item: AccountFeedData['items'][number], { data, at: { origin } }: Of): Entry => {
  const { proposalId, round, title, time, kind } = item
  const { asOf, account } = data
  const path = `/proposals/${proposalId}`
  const quoted = quotation(title, LONGEST_TITLE)
  const what = nameChange(item)
  const list = kind === 'last_day' ? 'last-days' : 'votes'
  return {
    id: toUrn(`${asOf.chainId}/voters/${account.key}/${list}/${proposalId}/${round}`),
    title: [what, ...(quoted === '' ? [] : [quoted])].join(' · '),
    links: [
      linkElement('alternate', 'text/html', `${origin}${path}`),
      linkElement('alternate', 'application/json', `${origin}/api${path}`),
    ],
    updated: time,
    author: 'Rollcall',
    summary: describe(item),
  }
}

export const accountFeed = (data: AccountFeedData, at: FeedContext): string => {
  const { account, moniker, items, asOf } = data
  const { voter, operatorAddress: operator } = account
  const name = operator === null ? voter : validatorName(moniker, operator)
  const path = operator === null ? voterFeedPath(voter) : poolFeedPath(operator)
  return feedDocument(
    {
      idName: path,
      title: `Votes of ${name} on ${asOf.chainId}`,
      subtitle: 'The votes of this account, those that it missed, and last days without its vote.',
      page: operator === null ? voterPath(voter) : poolPath(operator),
      toFeedPath: () => path,
      times: items.map(({ time }) => time),
      entries: items.map((item) => toEntry(item, { data, at })),
    },
    { asOf, links: { ...data.links, first: null, prev: null, next: null, last: null } },
    at,
  )
}
