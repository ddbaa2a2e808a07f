// How listeners are told: over a switch of generations, by heartbeats, and what ids mean to other instances.
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../../api/read/snapshot.ts'
import type { SnapshotSource } from '../../../../api/read/snapshots/snapshot-source.ts'
import type { Changes, Frame } from '../../../../api/stream/changes.ts'
import { createHub } from '../../../../api/stream/hub.ts'
import type { Listener } from '../../../../api/stream/listener.ts'
import { compare, endOf, idOf, type Place, placeOf } from '../../../../api/stream/place.ts'
import { positionOf } from '../../../../ingest/contract/envelope.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const positionAt = (height: number) => positionOf({ height, index: 1 })

const servedAt = (generation: number, height: number, marks: Record<string, number>): Snapshot => {
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
    ...{ timeMs: 0, lagEvents: 0, waitingSinceMs: null, writtenAtMs: 0 },
    changedAt: positionAt(latest),
    watermarks: new Map(
      positions.map(([id, position]) => [id, { position, timeMs: 0, final: false }]),
    ),
  }
}

/** Tells watermarks only: what a store would add is of no matter here. */
const changes: Changes = {
  after: async (place, snapshot) =>
    [...snapshot.watermarks]
      .map(
        ([proposalId, { position }]): Frame => ({
          place: { position, proposalId: BigInt(proposalId) },
          proposalId,
          bytes: Buffer.from(proposalId),
        }),
      )
      .filter((frame) => compare(frame.place, place) > 0)
      .sort((one, other) => compare(one.place, other.place)),
  reset: () => {
    throw new Error('not asked for here')
  },
}

const setup = () => {
  let current = servedAt(1, 1, { 1: 1 })
  const hearers: (() => void)[] = []
  const snapshots = {
    current: () => current,
    onLook: (heard: () => void) => void hearers.push(heard),
  } as SnapshotSource
  const clock = createFakeClock({ autoAdvance: false })
  const { log } = recordingLogger()
  const hub = createHub({ snapshots, changes, clock, log })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const readSnapshot = async (snapshot: Snapshot) => {
    current = snapshot
    for (const heard of hearers) heard()
    await settled()
  }
  const listener = (after?: Place) => {
    const told: string[] = []
    let place = after
    const its: Listener & { told: string[] } = {
      told,
      get place() {
        return place
      },
      send: (frames) => {
        const due = frames.filter((frame) => !place || compare(frame.place, place) > 0)
        told.push(...due.map(({ proposalId }) => `${proposalId}`))
        place = due.at(-1)?.place ?? place
      },
      write: (bytes, at) => {
        told.push(bytes.toString().split('\n')[0] ?? '')
        place = at ?? place
      },
      end: () => void told.push('end'),
    }
    return its
  }
  return { hub, readSnapshot, listener, clock, settled }
}

describe('the hub', () => {
  it('tells nothing twice and loses nothing where a rebuilt generation is a while behind', async () => {
    const { hub, readSnapshot, listener, settled } = setup()
    const one = listener()
    hub.join(one)
    await settled()
    await readSnapshot(servedAt(1, 5, { 1: 1, 2: 5 }))
    await readSnapshot(servedAt(2, 3, { 1: 1, 2: 3 }))
    const late = listener({ position: positionAt(5), proposalId: 2n })
    hub.join(late)
    await readSnapshot(servedAt(2, 5, { 1: 1, 2: 5 }))
    await readSnapshot(servedAt(2, 6, { 1: 6, 2: 5 }))
    expect(one.told).toEqual(['event: start', '2', '1'])
    expect(late.told).toEqual(['1'])
  })

  it('beats for all with one timer, and has none while nobody listens', async () => {
    const { hub, listener, clock, settled } = setup()
    const listeners = [listener(), listener(), listener()]
    for (const each of listeners) hub.join(each)
    await settled()
    expect(clock.sleeps).toEqual([15_000])
    clock.advance(15_000)
    await settled()
    for (const { told } of listeners) expect(told).toEqual(['event: start', ': listening'])
    for (const each of listeners) hub.leave(each)
    clock.advance(15_000)
    await settled()
    expect(clock.sleeps).toEqual([15_000, 15_000])
    expect(listeners[0]?.told).toHaveLength(2)
  })

  it('ends everyone when it is closed, also who comes later', async () => {
    const { hub, listener, settled } = setup()
    const [one, late] = [listener(), listener()]
    hub.join(one)
    await settled()
    hub.close()
    hub.join(late)
    expect([one.told, late.told]).toEqual([['event: start', 'end'], ['end']])
  })
})

describe('an id', () => {
  const snapshot = servedAt(1, 10, { 1: 10 })

  it('is the same place to every instance of the same chain, whatever its generation', () => {
    const place = { position: positionAt(9), proposalId: 2n ** 64n - 1n }
    for (const each of [place, endOf(snapshot)]) {
      expect(placeOf(idOf(each, snapshot), servedAt(7, 9, {}))).toEqual(each)
    }
  })

  it.each([
    ['of another chain', idOf(endOf(snapshot), { ...snapshot, chainId: 'other-1' })],
    [
      'of heights that there are not',
      idOf({ position: positionAt(500), proposalId: null }, snapshot),
    ],
    ['that is none', 'x'],
    ['with more behind it', `${idOf(endOf(snapshot), snapshot)}.1.2`],
  ])('%s is no place', (_name, id) => {
    expect(placeOf(id, snapshot)).toBeUndefined()
  })
})
