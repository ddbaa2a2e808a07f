// Creates server-sent events for the changes after a position: of proposals, from the watermarks in memory and one query; and of accounts,
// their votes and the last day of a vote on which they have not voted. Ids are valid at all instances, also after a restart or a rebuild.

import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import {
  type Account,
  type AccountChange,
  readAccountChanges,
} from '../read/queries/account-changes.ts'
import { getKnownRound } from '../read/queries/proposal.ts'
import { type ProposalInfoRow, readProposalInfo } from '../read/queries/records.ts'
import { formatTime } from '../read/queries/values.ts'
import { isRecomputed, type Snapshot, type Watermark } from '../read/snapshot.ts'
import { hashScope } from '../resources/list.ts'

/**
 * The log position of a change and its proposal, because one event can change several proposals.
 * `proposalId` null is the position after all of these changes.
 */
export type StreamPosition = { position: bigint; proposalId: bigint | null }

export const comparePositions = (one: StreamPosition, other: StreamPosition): number => {
  if (one.position !== other.position) return one.position < other.position ? -1 : 1
  if (one.proposalId === other.proposalId) return 0
  if (one.proposalId === null) return 1
  return other.proposalId === null || one.proposalId < other.proposalId ? -1 : 1
}

/** The event ids of one kind of stream. An id of another kind, or of another chain, is not valid. */
export type StreamIds = {
  scope: string
  /** The position after all served changes. */
  getEnd(snapshot: Snapshot): StreamPosition
  /** Further ahead than another instance can be. */
  isInvented(position: bigint, snapshot: Snapshot): boolean
}

const MAX_HEIGHTS_AHEAD = 100
const MAX_MS_AHEAD = 600_000

/** Positions in the log. */
export const PROPOSAL_IDS: StreamIds = {
  scope: 'stream',
  getEnd: ({ changedAt }) => ({ position: changedAt, proposalId: null }),
  isInvented: (position, { tip }) => toHeight(position) > tip + MAX_HEIGHTS_AHEAD,
}

/** Block times, because the last day of a vote begins between two events. A vote has an odd position: it comes second. */
export const toAccountPosition = (timeMs: number, isVote: boolean): bigint =>
  BigInt(timeMs) * 2n + (isVote ? 1n : 0n)
export const toTimeMs = (position: bigint): number => Number(position / 2n)

export const ACCOUNT_IDS: StreamIds = {
  scope: 'stream of accounts',
  getEnd: ({ timeMs }) => ({ position: toAccountPosition(timeMs, true), proposalId: null }),
  isInvented: (position, { timeMs }) => toTimeMs(position) > timeMs + MAX_MS_AHEAD,
}

const hashChain = ({ scope }: StreamIds, { chainId }: Snapshot): string => hashScope(scope, chainId)

/** A server-sent event, from whose id a client can resume. */
export const encodeEvent = (
  name: string,
  { position, proposalId }: StreamPosition,
  { ids, snapshot, data }: { ids: StreamIds; snapshot: Snapshot; data: object },
): Buffer => {
  const parts = [hashChain(ids, snapshot), position, ...(proposalId === null ? [] : [proposalId])]
  return Buffer.from(`event: ${name}\nid: ${parts.join('.')}\ndata: ${JSON.stringify(data)}\n\n`)
}

const ID = /^([A-Za-z0-9_-]{8})\.([0-9]{1,20})(?:\.([0-9]{1,20}))?$/

/** Returns undefined for an id that this stream did not issue. */
export const parseEventId = (
  id: string,
  ids: StreamIds,
  snapshot: Snapshot,
): StreamPosition | undefined => {
  const [, chain, text = '', proposalId] = ID.exec(id) ?? []
  if (chain !== hashChain(ids, snapshot)) return undefined
  const position = BigInt(text)
  if (ids.isInvented(position, snapshot)) return undefined
  return { position, proposalId: proposalId === undefined ? null : BigInt(proposalId) }
}

/** What a listener receives. */
export type Filter = {
  /** By default all proposals. */
  proposalId?: string | undefined
  /** By key. Empty if it listens to proposals. */
  accounts: ReadonlyMap<string, Account>
}

export type Frame = {
  position: StreamPosition
  /** Undefined if the frame is not for the listener. */
  encode(filter: Filter): Buffer | undefined
  /** It stands for changes that are not listed. */
  isReset?: true
}

export type Changes = {
  ids: StreamIds
  /** In order. Rejects if the store is unavailable. */
  after(
    position: StreamPosition,
    snapshot: Snapshot,
    filters: readonly Filter[],
  ): Promise<readonly Frame[]>
  /** For a client that cannot resume. */
  reset(reason: string, snapshot: Snapshot): Frame
}

/** With more changes of proposals, or of accounts, it is faster to read the list again. */
const MAX_CHANGES = 1_000
const MAX_KNOWN = 2 * MAX_CHANGES

type Change = { proposalId: string; watermark: Watermark; position: StreamPosition }

const findChangesAfter = (after: StreamPosition, { watermarks }: Snapshot): Change[] => {
  const changes: Change[] = []
  for (const [proposalId, watermark] of watermarks) {
    const position = { position: watermark.position, proposalId: BigInt(proposalId) }
    if (comparePositions(position, after) > 0) changes.push({ proposalId, watermark, position })
  }
  return changes.sort((one, other) => comparePositions(one.position, other.position))
}

export function createReset(
  ids: StreamIds,
  { reason, list }: { reason: string; list: string },
  snapshot: Snapshot,
): Frame {
  const position = ids.getEnd(snapshot)
  const data = { reason, links: { list } }
  const bytes = encodeEvent('reset', position, { ids, snapshot, data })
  return { position, encode: () => bytes, isReset: true }
}

export const createChanges = (store: Store, baseUrl: string): Changes => {
  const known = new LRUCache<string, Frame>({ max: MAX_KNOWN })

  const toKey = ({ generation }: Snapshot, { proposalId, watermark }: Change): string =>
    `${generation}/${proposalId}/${watermark.position}`

  const createFrame = (
    { proposalId, watermark, position }: Change,
    row: ProposalInfoRow,
    snapshot: Snapshot,
  ) => {
    const data = {
      proposalId,
      status: row.status,
      round: getKnownRound(row),
      final: watermark.final,
      updatedAt: { height: toHeight(watermark.position) },
      links: { self: `${baseUrl}/api/proposals/${proposalId}` },
    }
    const bytes = encodeEvent('proposal', position, { ids: PROPOSAL_IDS, snapshot, data })
    const isFor = (filter: Filter) => (filter.proposalId ?? proposalId) === proposalId
    return { position, encode: (filter: Filter) => (isFor(filter) ? bytes : undefined) }
  }
  const readUnknown = async (snapshot: Snapshot, changes: readonly Change[]): Promise<void> => {
    const unknown = changes.filter((change) => !known.has(toKey(snapshot, change)))
    const ids = unknown.map(({ proposalId }) => proposalId)
    const rows = await readProposalInfo({ store, snapshot }, ids)
    const byId = new Map(rows.map((row) => [row.proposalId, row]))
    for (const change of unknown) {
      const row = byId.get(change.proposalId)
      // The row belongs to a commit in progress. Its watermark will report the change.
      if (!row || row.version > change.watermark.position) continue
      known.set(toKey(snapshot, change), createFrame(change, row, snapshot))
    }
  }
  const reset = (reason: string, snapshot: Snapshot): Frame =>
    createReset(PROPOSAL_IDS, { reason, list: `${baseUrl}/api/proposals` }, snapshot)
  return {
    ids: PROPOSAL_IDS,
    reset,
    after: async (position, snapshot) => {
      const changes = findChangesAfter(position, snapshot)
      if (changes.length === 0) return []
      if (changes.length > MAX_CHANGES) {
        return [reset(`more than ${MAX_CHANGES} proposals have changed`, snapshot)]
      }
      await readUnknown(snapshot, changes)
      return changes
        .map((change) => known.get(toKey(snapshot, change)))
        .filter((frame) => frame !== undefined)
    },
  }
}

/** The changes of one kind, of one proposal, at one block time: one event for each listener with one of the accounts. */
type Group = [AccountChange, ...AccountChange[]]

const groupChanges = (changes: readonly AccountChange[]): Group[] => {
  const groups: Group[] = []
  for (const change of changes) {
    const [first] = groups.at(-1) ?? []
    const isSame =
      first?.timeMs === change.timeMs &&
      first.kind === change.kind &&
      first.proposalId === change.proposalId &&
      first.round === change.round
    if (isSame) groups.at(-1)?.push(change)
    else groups.push([change])
  }
  return groups
}

const toItem = (change: AccountChange): object => {
  const { voter, operatorAddress } = change.account
  if (change.kind === 'vote') return { voter, operatorAddress, ...change.vote }
  return { voter, operatorAddress, voted: change.voted, votedReason: change.votedReason }
}

export function createAccountChanges(store: Store, baseUrl: string): Changes {
  const createFrame = (group: Group, snapshot: Snapshot): Frame => {
    const [{ kind, proposalId, round, timeMs, ...first }] = group
    const position = {
      position: toAccountPosition(timeMs, kind === 'vote'),
      proposalId: BigInt(proposalId),
    }
    const end = 'votingEndTime' in first ? { votingEndTime: first.votingEndTime } : {}
    const encode: Frame['encode'] = ({ accounts }) => {
      const own = group.filter(({ account }) => accounts.has(account.key))
      if (own.length === 0) return undefined
      const data = {
        proposalId,
        round,
        time: formatTime(timeMs),
        ...end,
        [kind === 'vote' ? 'votes' : 'accounts']: own.map(toItem),
        links: { self: `${baseUrl}/api/proposals/${proposalId}` },
      }
      return encodeEvent(kind, position, { ids: ACCOUNT_IDS, snapshot, data })
    }
    return { position, encode }
  }
  const reset = (reason: string, snapshot: Snapshot): Frame =>
    createReset(ACCOUNT_IDS, { reason, list: `${baseUrl}/api/votes` }, snapshot)
  return {
    ids: ACCOUNT_IDS,
    reset,
    after: async ({ position }, snapshot, filters) => {
      const accounts = new Map(filters.flatMap((filter) => [...filter.accounts]))
      // Also the changes of this moment: the client may have received some of them.
      const afterMs = toTimeMs(position) - 1
      const range = { afterMs, untilMs: snapshot.timeMs, limit: MAX_CHANGES }
      const read = await readAccountChanges({ store, snapshot }, accounts, range)
      if (read.isCut) return [reset(`more than ${MAX_CHANGES} changes of votes`, snapshot)]
      // A vote that ended before the first indexed height is read later.
      const isPast = ({ kind, proposalId }: AccountChange) => {
        const watermark = snapshot.watermarks.get(proposalId)
        return kind === 'vote' && watermark?.final === true && isRecomputed(watermark)
      }
      return groupChanges(read.changes.filter((change) => !isPast(change))).map((group) =>
        createFrame(group, snapshot),
      )
    },
  }
}
