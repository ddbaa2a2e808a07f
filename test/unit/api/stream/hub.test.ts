// Tests of the stream hub: switches of generations, heartbeats, and IDs that all instances share.
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../../api/read/snapshot.ts'
import type { SnapshotSource } from '../../../../api/read/snapshots/snapshot-source.ts'
import type { Changes, Frame } from '../../../../api/stream/changes.ts'
import { createHub } from '../../../../api/stream/hub.ts'
import type { Listener } from '../../../../api/stream/listener.ts'
import {
  ACCOUNT_IDS,
  comparePositions,
  encodeEvent,
  PROPOSAL_IDS,
  parseEventId,
  type StreamPosition,
} from '../../../../api/stream/stream-position.ts'
import { toPosition } from '../../../../ingest/contract/envelope.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const positionAt = (height: number) => toPosition({ height, index: 1 })

const createSnapshot = (
  generation: number,
  height: number,
  marks: Record<string, number>,
): Snapshot => {
  const positions = Object.entries(marks).map(([id, at]): [string, bigint] => [id, positionAt(at)])
  const latest = Math.max(0, ...Object.values(marks))
  const snapshot = {
    generation,
    database: `g${generation}`,
    chainId: 'test-1',
    height,
    tip: height,
  }
  return {
    ...snapshot,
    timeMs: 0,
    limitations: [],
    history: null,
    lagEvents: 0,
    waitingSinceMs: null,
    writtenAtMs: 0,
    changedAt: positionAt(latest),
    watermarks: new Map(
      positions.map(([id, position]) => [id, { position, timeMs: 0, final: false, awaits: false }]),
    ),
  }
}

/** Reports watermarks only: other store data does not matter here. */
const changes: Changes = {
  ids: PROPOSAL_IDS,
  after: async (streamPosition, snapshot) =>
    [...snapshot.watermarks]
      .map(
        ([proposalId, { position }]): Frame => ({
          position: { position, proposalId: BigInt(proposalId) },
          proposalId,
          bytes: Buffer.from(proposalId),
        }),
      )
      .filter((frame) => comparePositions(frame.position, streamPosition) > 0)
      .sort((one, other) => comparePositions(one.position, other.position)),
  reset: () => {
    throw new Error('not used here')
  },
}

const setup = () => {
  let current = createSnapshot(1, 1, { 1: 1 })
  const refreshListeners: (() => void)[] = []
  const snapshots = {
    current: () => current,
    freshness: () => ({ behind: { heights: 0, seconds: 0 } }),
    onRefresh: (callback: () => void) => void refreshListeners.push(callback),
  } as SnapshotSource
  const clock = createFakeClock({ autoAdvance: false })
  const { logger } = recordingLogger()
  const hub = createHub({ snapshots, changes, clock, logger })
  const flushPromises = () => new Promise((resolve) => setImmediate(resolve))
  const readSnapshot = async (snapshot: Snapshot) => {
    current = snapshot
    for (const callback of refreshListeners) callback()
    await flushPromises()
  }
  const listener = (after?: StreamPosition) => {
    const received: string[] = []
    let streamPosition = after
    const recorder: Listener & { received: string[] } = {
      received,
      filter: { accounts: new Map(), select: ({ bytes }) => bytes },
      get position() {
        return streamPosition
      },
      send: (frames) => {
        const due = frames.filter(
          (frame) => !streamPosition || comparePositions(frame.position, streamPosition) > 0,
        )
        received.push(...due.map(({ proposalId }) => `${proposalId}`))
        streamPosition = due.at(-1)?.position ?? streamPosition
      },
      write: (bytes, at) => {
        received.push(bytes.toString().split('\n')[0] ?? '')
        streamPosition = at ?? streamPosition
      },
      end: () => void received.push('end'),
    }
    return recorder
  }
  return { hub, readSnapshot, listener, clock, flushPromises }
}

describe('the hub', () => {
  it('sends each event once and loses none while a rebuilt generation is behind', async () => {
    const { hub, readSnapshot, listener, flushPromises } = setup()
    const one = listener()
    hub.join(one)
    await flushPromises()
    await readSnapshot(createSnapshot(1, 5, { 1: 1, 2: 5 }))
    await readSnapshot(createSnapshot(2, 3, { 1: 1, 2: 3 }))
    const late = listener({ position: positionAt(5), proposalId: 2n })
    hub.join(late)
    await readSnapshot(createSnapshot(2, 5, { 1: 1, 2: 5 }))
    await readSnapshot(createSnapshot(2, 6, { 1: 6, 2: 5 }))
    expect(one.received).toEqual(['event: start', '2', '1'])
    expect(late.received).toEqual(['1'])
  })

  it('sends heartbeats with one timer, and has no timer without listeners', async () => {
    const { hub, listener, clock, flushPromises } = setup()
    const listeners = [listener(), listener(), listener()]
    for (const each of listeners) hub.join(each)
    await flushPromises()
    expect(clock.sleeps).toEqual([15_000])
    clock.advance(15_000)
    await flushPromises()
    for (const { received } of listeners) expect(received).toEqual(['event: start', ': listening'])
    for (const each of listeners) hub.leave(each)
    clock.advance(15_000)
    await flushPromises()
    expect(clock.sleeps).toEqual([15_000, 15_000])
    expect(listeners[0]?.received).toHaveLength(2)
  })

  it('disconnects every listener when it closes, also later ones', async () => {
    const { hub, listener, flushPromises } = setup()
    const [one, late] = [listener(), listener()]
    hub.join(one)
    await flushPromises()
    hub.close()
    hub.join(late)
    expect([one.received, late.received]).toEqual([['event: start', 'end'], ['end']])
  })
})

describe('an id', () => {
  const snapshot = createSnapshot(1, 10, { 1: 10 })
  const formatId = (position: StreamPosition, of: Snapshot, ids = PROPOSAL_IDS): string =>
    /^id: (.*)$/m.exec(`${encodeEvent('x', position, { ids, snapshot: of, data: {} })}`)?.[1] ?? ''
  const end = PROPOSAL_IDS.getEnd(snapshot)

  it('is the same position for every instance of a chain, whatever the generation is', () => {
    const streamPosition = { position: positionAt(9), proposalId: 2n ** 64n - 1n }
    for (const each of [streamPosition, end]) {
      const id = formatId(each, snapshot)
      expect(parseEventId(id, PROPOSAL_IDS, createSnapshot(7, 9, {}))).toEqual(each)
    }
  })

  it.each([
    ['of another chain', formatId(end, { ...snapshot, chainId: 'other-1' })],
    [
      'of heights that do not exist',
      formatId({ position: positionAt(500), proposalId: null }, snapshot),
    ],
    ['of a stream of accounts', formatId(end, snapshot, ACCOUNT_IDS)],
    ['that is not an ID', 'x'],
    ['with a trailing part', `${formatId(end, snapshot)}.1.2`],
  ])('%s is not a position', (_name, id) => {
    expect(parseEventId(id, PROPOSAL_IDS, snapshot)).toBeUndefined()
  })
})
