// Creates server-sent events for accounts: their votes, and the last day of a vote on which they have not voted.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import {
  type Account,
  type AccountChange,
  readAccountChanges,
} from '../read/queries/account-changes.ts'
import { formatTime } from '../read/queries/values.ts'
import { isRecomputed, type Snapshot } from '../read/snapshot.ts'
import { type Changes, createReset, type Filter, type Frame } from './changes.ts'
import { ACCOUNT_IDS, encodeEvent, toAccountPosition, toTimeMs } from './stream-position.ts'

/** The changes of one kind, of one proposal, at one block time: one event for each listener with one of the accounts. */
export type AccountFrame = Frame & {
  encode(accounts: ReadonlyMap<string, Account>): Buffer | undefined
}

const MAX_CHANGES = 1_000

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

export function createAccountChanges(store: Store, baseUrl: string): Changes<AccountFrame> {
  const createFrame = (group: Group, snapshot: Snapshot): AccountFrame => {
    const [{ kind, proposalId, round, timeMs, ...first }] = group
    const position = {
      position: toAccountPosition(timeMs, kind === 'vote'),
      proposalId: BigInt(proposalId),
    }
    const end = 'votingEndTime' in first ? { votingEndTime: first.votingEndTime } : {}
    const encode: AccountFrame['encode'] = (accounts) => {
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
    return { position, proposalId, bytes: Buffer.alloc(0), encode }
  }
  const reset = (reason: string, snapshot: Snapshot): AccountFrame => {
    const frame = createReset(ACCOUNT_IDS, { reason, list: `${baseUrl}/api/votes` }, snapshot)
    return { ...frame, encode: () => frame.bytes }
  }
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

export const createAccountFilter = (
  accounts: ReadonlyMap<string, Account>,
): Filter<AccountFrame> => ({ accounts, select: (frame) => frame.encode(accounts) })
