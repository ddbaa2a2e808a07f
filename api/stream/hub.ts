// Tells all listeners what changed: one reading for everyone, whenever the served state has moved on.
import type { Clock } from '../../infra/runtime/clock.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { every } from '../../infra/runtime/supervise.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { SnapshotSource } from '../read/snapshots/snapshot-source.ts'
import type { Changes, Frame } from './changes.ts'
import type { Listener } from './listener.ts'
import {
  comparePositions,
  formatEventId,
  getStreamEnd,
  type StreamPosition,
} from './stream-position.ts'

export type Hub = {
  /** Whoever has a place is told first of all that changed since. */
  join(listener: Listener): void
  leave(listener: Listener): void
  /** Ends every stream; whoever joins later is ended at once. */
  close(): void
}

export type HubOptions = {
  snapshots: SnapshotSource
  changes: Changes
  clock: Clock
  logger: Logger
}

/** Less than what proxies take for a dead connection. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = Buffer.from(': listening\n\n')

/** The place from which whoever starts now goes on, told at once so that it can come back to it. */
const createGreeting = (snapshot: Snapshot): Buffer => {
  const { chainId, height } = snapshot
  const data = JSON.stringify({ asOf: { chainId, height } })
  return Buffer.from(
    `event: start\nid: ${formatEventId(getStreamEnd(snapshot), snapshot)}\ndata: ${data}\n\n`,
  )
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

export const createHub = ({ snapshots, changes, clock, logger }: HubOptions): Hub => {
  const live = new Set<Listener>()
  /** Not told yet what they missed; in the order in which they came. */
  const joining = new Set<Listener>()
  /** What `live` has got; only `goOn` moves it, and never twice at a time. */
  let sent: { snapshot: Snapshot; until: StreamPosition } | undefined
  let isPumping = false
  let isFailing = false
  let isClosed = false

  const sendAll = (listeners: Iterable<Listener>, frames: readonly Frame[]): void => {
    if (frames.length === 0) return
    const together = Buffer.concat(frames.map(({ bytes }) => bytes))
    for (const listener of listeners) listener.send(frames, together)
  }
  /** A rebuilt generation may be behind the one before it: nobody is told of the same change twice. */
  const getLater = (one: StreamPosition, other: StreamPosition): StreamPosition =>
    comparePositions(one, other) < 0 ? other : one

  const sendToLive = async (snapshot: Snapshot): Promise<void> => {
    const until = getStreamEnd(snapshot)
    if (sent && live.size > 0) sendAll(live, await changes.after(sent.until, snapshot))
    sent = { snapshot, until: sent ? getLater(sent.until, until) : until }
  }
  const admit = async (listener: Listener, snapshot: Snapshot): Promise<void> => {
    const { position } = listener
    if (position) sendAll([listener], await changes.after(position, snapshot))
    else listener.write(createGreeting(snapshot), getStreamEnd(snapshot))
    // It may have left meanwhile.
    if (joining.delete(listener)) live.add(listener)
  }
  const sendPending = async (): Promise<void> => {
    for (;;) {
      const snapshot = snapshots.current()
      if (!snapshot || isClosed) return
      const { generation, changedAt } = sent?.snapshot ?? {}
      if (snapshot.generation !== generation || snapshot.changedAt !== changedAt) {
        await sendToLive(snapshot)
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
      await sendPending()
      isFailing = false
    } catch (error) {
      // Anything else is a bug, and the process ends with it.
      if (!(error instanceof AppError)) throw error
      // Done again with the next snapshot: every listener keeps its place.
      if (!isFailing) logger.warn({ error }, 'could not read what changed')
      isFailing = true
    } finally {
      isPumping = false
    }
  }
  const heartbeat = createHeartbeat(clock, () => {
    for (const listener of [...live, ...joining]) listener.write(HEARTBEAT)
  })
  snapshots.onRefresh(() => void pump())
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
