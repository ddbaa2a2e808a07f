// Revocations that the log does not have yet, such as while its disk is full. Their tokens are refused from memory at once,
// and each is appended again until it is read back from the log.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { supervise } from '../../infra/base/runtime/retry.ts'
import type { AgentEventOf } from '../contract/agent-events.ts'
import type { AgentState, ReadableState } from './agent-state.ts'

type Revocation = AgentEventOf<'rollcall.token.revoked.v1'>
type Kind = Revocation['data']['kind']
/** `appending` is undefined after a failure. */
type Entry = { event: Revocation; appending: Promise<bigint> | undefined }

/** About 1 kB each. Beyond it a revocation cannot be remembered, so no token is accepted. */
const MAX_UNWRITTEN = 10_000

const toKey = (kind: Kind, id: string): string => `${kind} ${id}`

const keyOf = ({ kind, tokenId, subject }: Revocation['data']): string =>
  toKey(kind, kind === 'access_token' ? tokenId : subject)

type UnwrittenOptions = {
  append: (event: Revocation) => Promise<bigint>
  clock: Clock
  logger: Logger
}

export function createUnwrittenRevocations({ append, clock, logger }: UnwrittenOptions) {
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
  return {
    /** Appends every entry again, until the signal fires. */
    follow: (signal: AbortSignal): Promise<void> =>
      supervise(appendAll, {
        policy: policies.appendRevocations,
        signal,
        clock,
        onFailure: (error) =>
          logger.warn({ error, unwritten: entries.size }, 'failed to append revocations again'),
      }),
    /** Refuses its tokens from now on, and appends it. A repeated revocation is the first one. */
    write: async (event: Revocation): Promise<bigint> => {
      const key = keyOf(event.data)
      const entry = entries.get(key) ?? { event, appending: undefined }
      // Without space it is still appended, and all tokens are refused.
      if (entries.size < MAX_UNWRITTEN) entries.set(key, entry)
      return appendOnce(entry)
    },
    /** The log has this event. */
    settle: ({ data }: Revocation): void => {
      entries.delete(keyOf(data))
    },
    isFull: (): boolean => entries.size >= MAX_UNWRITTEN,
    /** The state in which a revocation counts before the log has it. */
    addTo: (state: AgentState): ReadableState => ({
      ...state,
      isTokenRevoked: (id, expiresMs) =>
        entries.has(toKey('access_token', id)) || state.isTokenRevoked(id, expiresMs),
      isRegistrationRevoked: (id, registeredMs) =>
        entries.has(toKey('identity_assertion', id)) ||
        state.isRegistrationRevoked(id, registeredMs),
      size: () => entries.size + state.size(),
    }),
  }
}
