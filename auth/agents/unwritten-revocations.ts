// Revocations that the log does not have yet, such as while its disk is full. Their tokens are refused from memory at once,
// and each is appended again until it is read back from the log.
import { type Clock, pause } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { supervise } from '../../infra/base/runtime/retry.ts'
import type { AgentEventOf } from '../contract/claims.ts'
import type { AgentState, ReadableState } from './agent-state.ts'

type Revocation = AgentEventOf<'rollcall.token.revoked.v1'>
type Entry = {
  event: Revocation
  /** Undefined after a failure. */
  appending: Promise<bigint> | undefined
}

/** About 1 kB each. Beyond it a revocation cannot be remembered, so no token is accepted. */
const MAX_UNWRITTEN = 10_000
const WRITE_AGAIN_MS = 1_000

const toKey = (kind: Revocation['data']['kind'], id: string): string => `${kind} ${id}`

const keyOf = ({ kind, tokenId, subject }: Revocation['data']): string =>
  toKey(kind, kind === 'access_token' ? tokenId : subject)

export type UnwrittenOptions = {
  append(event: Revocation): Promise<bigint>
  clock: Clock
  logger: Logger
}

export const createUnwrittenRevocations = (options: UnwrittenOptions) => {
  const { append, clock, logger } = options
  const entries = new Map<string, Entry>()
  const appendOnce = (entry: Entry): Promise<bigint> => {
    entry.appending ??= append(entry.event).catch((error: unknown) => {
      entry.appending = undefined
      throw error
    })
    return entry.appending
  }
  /** Up to the first failure. */
  const appendAll = async (): Promise<void> => {
    for (const entry of [...entries.values()]) await appendOnce(entry)
  }
  /** Appends every entry again, until the signal fires. */
  const follow = (signal: AbortSignal): Promise<void> => {
    const loop = async (works: () => void) => {
      while (!signal.aborted) {
        await appendAll()
        works()
        await pause(WRITE_AGAIN_MS, signal, clock)
      }
    }
    return supervise(loop, {
      policy: policies.appendRevocations,
      signal,
      clock,
      onFailure: (error) =>
        logger.warn({ error, unwritten: entries.size }, 'failed to append revocations again'),
    })
  }
  return {
    follow,
    /** Refuses its tokens from now on, and appends it. A repeated revocation is the first one. Rejects if there is no space. */
    write: async (event: Revocation): Promise<bigint> => {
      const key = keyOf(event.data)
      let entry = entries.get(key)
      if (!entry) {
        entry = { event, appending: undefined }
        // Without space it is still appended, and all tokens are refused.
        if (entries.size < MAX_UNWRITTEN) entries.set(key, entry)
      }
      return appendOnce(entry)
    },
    /** The log has this event. */
    settle: ({ data }: Revocation): void => {
      entries.delete(keyOf(data))
    },
    isFull: (): boolean => entries.size >= MAX_UNWRITTEN,
    hasToken: (tokenId: string): boolean => entries.has(toKey('access_token', tokenId)),
    hasRegistration: (id: string): boolean => entries.has(toKey('identity_assertion', id)),
    size: (): number => entries.size,
  }
}

export type UnwrittenRevocations = ReturnType<typeof createUnwrittenRevocations>

/** The state in which a revocation counts before the log has it. */
export const withUnwritten = (
  state: AgentState,
  unwritten: UnwrittenRevocations,
): ReadableState => ({
  ...state,
  isTokenRevoked: (tokenId, expiresMs) =>
    unwritten.hasToken(tokenId) || state.isTokenRevoked(tokenId, expiresMs),
  isRegistrationRevoked: (id, registeredMs) =>
    unwritten.hasRegistration(id) || state.isRegistrationRevoked(id, registeredMs),
  size: () => unwritten.size() + state.size(),
})
