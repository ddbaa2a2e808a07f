// Sends changes to all listeners, with one read for all of them after each new snapshot. A listener receives each change after its
// position once, and is disconnected if it reads too slowly.

import type { ServerResponse } from 'node:http'
import { createClientShares } from '../../infra/base/http/limits/clients.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { Metrics } from '../../infra/base/runtime/metrics.ts'
import { every } from '../../infra/base/runtime/retry.ts'
import type { Behind } from '../read/freshness.ts'
import { ApiProblem } from '../read/problems.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { SnapshotSource } from '../read/snapshots.ts'
import { createDemoMark } from '../schemas/common.ts'
import {
  type Changes,
  comparePositions,
  encodeEvent,
  type Filter,
  type Frame,
  type StreamIds,
  type StreamPosition,
} from './changes.ts'

export type StreamMetrics = {
  listeners(count: number): void
  sent(events: number): void
  slow(): void
}

export const createStreamMetrics = (metrics: Metrics): StreamMetrics => {
  const listeners = metrics.gauge({
    name: 'stream_listeners',
    help: 'Open streams of changes',
  })
  const events = metrics.counter({
    name: 'stream_events_total',
    help: 'Events sent to listeners, counted for each listener',
  })
  const slow = metrics.counter({
    name: 'stream_slow_listeners_total',
    help: 'Listeners disconnected because they read too slowly',
  })
  return {
    listeners: (count) => listeners.set(count),
    sent: (count) => events.inc(count),
    slow: () => slow.inc(),
  }
}

export type ConnectionLimiterOptions = {
  maxListeners: number
  maxListenersPerAddress: number
  metrics: { listeners(count: number): void }
}

const RETRY_SECONDS = '30'

/** `take` throws `streams-exhausted` or `too-many-streams`. It returns a function that releases the stream. */
export const createConnectionLimiter = (options: ConnectionLimiterOptions) => {
  const { maxListeners, maxListenersPerAddress, metrics } = options
  const open = createClientShares({ perClient: maxListenersPerAddress, total: maxListeners })
  const refuse = (code: 'streams-exhausted' | 'too-many-streams', detail: string): never => {
    throw new ApiProblem(code, detail, { headers: { 'retry-after': RETRY_SECONDS } })
  }
  return {
    take: (address: string): (() => void) => {
      if (open.used >= maxListeners) {
        refuse('streams-exhausted', `The maximum of ${maxListeners} streams is open.`)
      }
      if (open.take(address) < 0) {
        const detail = 'This address or its network has the maximum of open streams already.'
        refuse(
          'too-many-streams',
          `${detail} One stream has the changes of all proposals, or those of 50 accounts.`,
        )
      }
      metrics.listeners(open.used)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        open.give(address)
        metrics.listeners(open.used)
      }
    },
  }
}

export type Listener = {
  readonly filter: Filter
  /** All changes up to here were sent; undefined before the first event. */
  readonly position: StreamPosition | undefined
  /** Frames in order, of which it skips those that it has. `until` is its new position. */
  send(frames: readonly Frame[], until: StreamPosition): void
  /** For greetings and heartbeats. */
  write(bytes: Buffer, until?: StreamPosition): void
  end(): void
}

export type ListenerOptions = {
  response: ServerResponse
  /** Undefined for a client without a valid `Last-Event-ID`. */
  after: StreamPosition | undefined
  filter: Filter
  onSent: (events: number) => void
  /** Called when the client is disconnected because it reads too slowly. */
  onSlow: () => void
}

/** Maximum bytes in the write buffer of one client. */
const MAX_WAITING_BYTES = 256 * 1024

const isBefore = (one: StreamPosition | undefined, other: StreamPosition): boolean =>
  one === undefined || comparePositions(one, other) < 0

export const createListener = (options: ListenerOptions): Listener => {
  const { response, filter, onSent, onSlow } = options
  let position = options.after

  const write = (bytes: Buffer, until = position): void => {
    position = until
    if (response.destroyed || response.writableEnded) return
    response.write(bytes)
    if (response.writableLength <= MAX_WAITING_BYTES) return
    onSlow()
    // `end` would wait until the client has read everything.
    response.destroy()
  }
  return {
    filter,
    get position() {
      return position
    },
    send: (frames, until) => {
      const due = frames
        .filter((frame) => isBefore(position, frame.position))
        .flatMap((frame) => frame.encode(filter) ?? [])
      position = until
      const [first, ...others] = due
      if (!first) return
      onSent(due.length)
      write(others.length === 0 ? first : Buffer.concat(due))
    },
    write,
    end: () => void response.end(),
  }
}

export type Hub = {
  /** A listener with a position first receives all changes after it. */
  join(listener: Listener): void
  leave(listener: Listener): void
  /** Ends all streams. Later listeners are ended immediately. */
  close(): void
}

export type HubOptions = {
  snapshots: SnapshotSource
  changes: Changes
  clock: Clock
  logger: Logger
}

/** Less than common idle timeouts of proxies. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = Buffer.from(': listening\n\n')

/** The first event, with an id from which the client can resume. */
const createGreeting = (ids: StreamIds, snapshot: Snapshot, behind: Behind): Buffer => {
  const { chainId, height } = snapshot
  return encodeEvent('start', ids.getEnd(snapshot), {
    ids,
    snapshot,
    data: { asOf: { chainId, height, ...createDemoMark(chainId) }, behind },
  })
}

export const createHub = (options: HubOptions): Hub => {
  const { snapshots, changes, clock, logger } = options
  const { ids } = changes
  const closing = new AbortController()
  /** In the order of arrival. */
  const listeners = new Set<Listener>()
  let beating: AbortController | undefined
  /** Listeners whose changes could not be read since the last refresh. */
  const unread = new Set<Listener>()
  let isPumping = false
  let isFailing = false

  /** Those that lack changes, by their position: all at one position share a read. */
  const groupDue = (end: StreamPosition): Listener[][] => {
    const groups = new Map<string, Listener[]>()
    for (const listener of listeners) {
      const { position } = listener
      // A new generation can be behind the previous one. No change is sent twice.
      if (!isBefore(position, end) || unread.has(listener)) continue
      const key = `${position?.position} ${position?.proposalId}`
      const group = groups.get(key)
      if (group) group.push(listener)
      else groups.set(key, [listener])
    }
    return [...groups.values()]
  }
  const sendTo = async (group: readonly Listener[], snapshot: Snapshot): Promise<void> => {
    const end = ids.getEnd(snapshot)
    const position = group[0]?.position
    if (!position) {
      const greeting = createGreeting(ids, snapshot, snapshots.freshness().behind)
      for (const listener of group) listener.write(greeting, end)
      return
    }
    const filters = group.map(({ filter }) => filter)
    const frames = await changes.after(position, snapshot, filters)
    const isCut = frames.some(({ isReset }) => isReset)
    if (isCut && group.length > 1 && filters.some(({ accounts }) => accounts.size > 0)) {
      // The changes of one listener may be few.
      for (const listener of group) await sendTo([listener], snapshot)
      return
    }
    for (const listener of group) listener.send(frames, end)
  }
  /** A read that fails is repeated at the next refresh: its listeners keep their position, and hold up nobody else. */
  const trySend = async (group: readonly Listener[], snapshot: Snapshot): Promise<void> => {
    try {
      await sendTo(group, snapshot)
    } catch (error) {
      // Other errors are defects and end the process.
      if (!(error instanceof AppError)) throw error
      if (!isFailing) logger.warn({ error }, 'could not read changes for the stream')
      isFailing = true
      for (const listener of group) unread.add(listener)
    }
  }
  const sendPending = async (): Promise<void> => {
    for (;;) {
      const snapshot = snapshots.current()
      if (!snapshot || closing.signal.aborted) return
      const groups = groupDue(ids.getEnd(snapshot))
      if (groups.length === 0) return
      for (const group of groups) {
        await trySend(group, snapshot)
        // Those that have waited longest receive the newest changes first.
        if (snapshots.current() !== snapshot) break
      }
    }
  }
  const pump = async (): Promise<void> => {
    if (isPumping) return
    isPumping = true
    unread.clear()
    try {
      await sendPending()
      isFailing = unread.size > 0
    } finally {
      isPumping = false
    }
  }
  /** One timer for all listeners, and none without listeners. */
  const keepBeating = (): void => {
    const isNeeded = listeners.size > 0 && !closing.signal.aborted
    if (isNeeded === (beating !== undefined)) return
    beating?.abort()
    beating = isNeeded ? new AbortController() : undefined
    if (!beating) return
    void every(HEARTBEAT_MS, { signal: beating.signal, clock }, () => {
      for (const listener of listeners) listener.write(HEARTBEAT)
    })
  }
  snapshots.onRefresh(() => void pump())
  return {
    join: (listener) => {
      if (closing.signal.aborted) return listener.end()
      listeners.add(listener)
      keepBeating()
      void pump()
    },
    leave: (listener) => {
      listeners.delete(listener)
      keepBeating()
    },
    close: () => {
      closing.abort()
      keepBeating()
      for (const listener of listeners) listener.end()
    },
  }
}
