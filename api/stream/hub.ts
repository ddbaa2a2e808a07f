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

export type Listener<Each extends Frame = Frame> = {
  readonly filter: Filter<Each>
  /** The last sent position; undefined before the first event. */
  readonly position: StreamPosition | undefined
  /** Frames in order; `together` has the bytes of all of them. */
  send(frames: readonly Each[], together: Buffer): void
  /** For greetings and heartbeats. */
  write(bytes: Buffer, position?: StreamPosition): void
  end(): void
}

export type ListenerOptions<Each extends Frame> = {
  response: ServerResponse
  /** Undefined for a client without a valid `Last-Event-ID`. */
  after: StreamPosition | undefined
  filter: Filter<Each>
  onSent: (events: number) => void
  /** Called when the client is disconnected because it reads too slowly. */
  onSlow: () => void
}

/** Maximum bytes in the write buffer of one client. */
const MAX_WAITING_BYTES = 256 * 1024

export const createListener = <Each extends Frame>(
  options: ListenerOptions<Each>,
): Listener<Each> => {
  const { response, filter, onSent, onSlow } = options
  let position = options.after

  const select = (frame: Each): { at: StreamPosition; bytes: Buffer }[] => {
    if (position && comparePositions(frame.position, position) <= 0) return []
    const bytes = filter.select(frame)
    return bytes ? [{ at: frame.position, bytes }] : []
  }
  const put = (bytes: Buffer): void => {
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
    send: (frames, together) => {
      const due = frames.flatMap(select)
      const last = due.at(-1)
      if (!last) return
      position = last.at
      onSent(due.length)
      const isAll =
        due.length === frames.length && due.every(({ bytes }, at) => bytes === frames[at]?.bytes)
      put(isAll ? together : Buffer.concat(due.map(({ bytes }) => bytes)))
    },
    write: (bytes, at) => {
      position = at ?? position
      put(bytes)
    },
    end: () => void response.end(),
  }
}

export type Hub<Each extends Frame> = {
  /** A listener with a position first receives all changes after it. */
  join(listener: Listener<Each>): void
  leave(listener: Listener<Each>): void
  /** Ends all streams. Later listeners are ended immediately. */
  close(): void
}

export type HubOptions<Each extends Frame> = {
  snapshots: SnapshotSource
  changes: Changes<Each>
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

/** One timer for all listeners, and no timer without listeners. */
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

const isOther = (snapshot: Snapshot, before: Snapshot, { getEnd }: StreamIds): boolean =>
  snapshot.generation !== before.generation ||
  comparePositions(getEnd(snapshot), getEnd(before)) !== 0

/** A new generation can be behind the previous one. No change is sent twice. */
const getLater = (one: StreamPosition, other: StreamPosition): StreamPosition =>
  comparePositions(one, other) < 0 ? other : one

export const createHub = <Each extends Frame>(options: HubOptions<Each>): Hub<Each> => {
  const { snapshots, changes, clock, logger } = options
  const { ids } = changes
  const live = new Set<Listener<Each>>()
  /** Listeners that still need earlier changes, in the order of arrival. */
  const joining = new Set<Listener<Each>>()
  /** The state that `live` has received. Only `pump` changes it, which never runs twice at the same time. */
  let sent: { snapshot: Snapshot; until: StreamPosition } | undefined
  let isPumping = false
  let isFailing = false
  let isClosed = false

  const sendAll = (listeners: Iterable<Listener<Each>>, frames: readonly Each[]): void => {
    if (frames.length === 0) return
    const together = Buffer.concat(frames.map(({ bytes }) => bytes))
    for (const listener of listeners) listener.send(frames, together)
  }
  const sendToLive = async (snapshot: Snapshot): Promise<void> => {
    const until = ids.getEnd(snapshot)
    if (sent && live.size > 0) {
      const filters = [...live].map(({ filter }) => filter)
      sendAll(live, await changes.after(sent.until, snapshot, filters))
    }
    sent = { snapshot, until: sent ? getLater(sent.until, until) : until }
  }
  const admit = async (listener: Listener<Each>, snapshot: Snapshot): Promise<void> => {
    const { position, filter } = listener
    if (position) sendAll([listener], await changes.after(position, snapshot, [filter]))
    else {
      const greeting = createGreeting(ids, snapshot, snapshots.freshness().behind)
      listener.write(greeting, ids.getEnd(snapshot))
    }
    // The listener may have left during the read.
    if (joining.delete(listener)) live.add(listener)
  }
  const sendPending = async (): Promise<void> => {
    for (;;) {
      const snapshot = snapshots.current()
      if (!snapshot || isClosed) return
      if (!sent || isOther(snapshot, sent.snapshot, ids)) {
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
      // Other errors are defects and end the process.
      if (!(error instanceof AppError)) throw error
      // The next snapshot repeats this. Every listener keeps its position.
      if (!isFailing) logger.warn({ error }, 'could not read changes for the stream')
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
