// Tells all listeners what changed: one reading for everyone, whenever the served state has moved on.
import type { Clock } from '../../infra/runtime/clock.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { every } from '../../infra/runtime/supervise.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { SnapshotSource } from '../read/snapshots/snapshot-source.ts'
import type { Changes, Frame } from './changes.ts'
import type { Listener } from './listener.ts'
import { compare, endOf, idOf, type Place } from './place.ts'

export type Hub = {
  /** Whoever has a place is told first of all that changed since. */
  join(listener: Listener): void
  leave(listener: Listener): void
  /** Ends every stream; whoever joins later is ended at once. */
  close(): void
}

export type HubOptions = { snapshots: SnapshotSource; changes: Changes; clock: Clock; log: Logger }

/** Less than what proxies take for a dead connection. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = Buffer.from(': listening\n\n')

/** The place from which whoever starts now goes on, told at once so that it can come back to it. */
const greeting = (snapshot: Snapshot): Buffer => {
  const { chainId, height } = snapshot
  const data = JSON.stringify({ asOf: { chainId, height } })
  return Buffer.from(`event: start\nid: ${idOf(endOf(snapshot), snapshot)}\ndata: ${data}\n\n`)
}

/** One timer for everyone, and none while nobody listens. */
const createHeartbeat = (clock: Clock, beat: () => void) => {
  let beating: AbortController | undefined
  return {
    keep: (isNeeded: boolean): void => {
      if (isNeeded === (beating !== undefined)) return
      beating?.abort()
      beating = isNeeded ? new AbortController() : undefined
      if (beating) void every(HEARTBEAT_MS, { signal: beating.signal, clock }, beat)
    },
  }
}

export const createHub = ({ snapshots, changes, clock, log }: HubOptions): Hub => {
  const live = new Set<Listener>()
  /** Not told yet what they missed; in the order in which they came. */
  const joining = new Set<Listener>()
  /** What `live` has got; only `goOn` moves it, and never twice at a time. */
  let sent: { snapshot: Snapshot; until: Place } | undefined
  let isPumping = false
  let isFailing = false
  let isClosed = false

  const sendAll = (listeners: Iterable<Listener>, frames: readonly Frame[]): void => {
    if (frames.length === 0) return
    const together = Buffer.concat(frames.map(({ bytes }) => bytes))
    for (const listener of listeners) listener.send(frames, together)
  }
  /** A rebuilt generation may be behind the one before it: nobody is told of the same change twice. */
  const laterOf = (one: Place, other: Place): Place => (compare(one, other) < 0 ? other : one)

  const tellLive = async (snapshot: Snapshot): Promise<void> => {
    const until = endOf(snapshot)
    if (sent && live.size > 0) sendAll(live, await changes.after(sent.until, snapshot))
    sent = { snapshot, until: sent ? laterOf(sent.until, until) : until }
  }
  const admit = async (listener: Listener, snapshot: Snapshot): Promise<void> => {
    const { place } = listener
    if (place) sendAll([listener], await changes.after(place, snapshot))
    else listener.write(greeting(snapshot), endOf(snapshot))
    // It may have left meanwhile.
    if (joining.delete(listener)) live.add(listener)
  }
  const goOn = async (): Promise<void> => {
    for (;;) {
      const snapshot = snapshots.current()
      if (!snapshot || isClosed) return
      const { generation, changedAt } = sent?.snapshot ?? {}
      if (snapshot.generation !== generation || snapshot.changedAt !== changedAt) {
        await tellLive(snapshot)
        continue
      }
      const [next] = joining
      if (!next) return
      await admit(next, snapshot)
    }
  }
  const pump = async (): Promise<void> => {
    if (isPumping) return
    isPumping = true
    try {
      await goOn()
      isFailing = false
    } catch (error) {
      // Anything else is a bug, and the process ends with it.
      if (!(error instanceof AppError)) throw error
      // Done again with the next snapshot: every listener keeps its place.
      if (!isFailing) log.warn({ error }, 'could not read what changed')
      isFailing = true
    } finally {
      isPumping = false
    }
  }
  const heartbeat = createHeartbeat(clock, () => {
    for (const listener of [...live, ...joining]) listener.write(HEARTBEAT)
  })
  snapshots.onLook(() => void pump())
  return {
    join: (listener) => {
      if (isClosed) return listener.end()
      joining.add(listener)
      heartbeat.keep(true)
      void pump()
    },
    leave: (listener) => {
      live.delete(listener)
      joining.delete(listener)
      heartbeat.keep(live.size + joining.size > 0)
    },
    close: () => {
      isClosed = true
      heartbeat.keep(false)
      for (const listener of [...live, ...joining]) listener.end()
    },
  }
}
