// Tests of read-ahead: it prefetches the next page when a client pages through votes.
import { describe, expect, it } from 'vitest'
import { createInnerQuery, type Query } from '../../../../api/read/query.ts'
import { createReadAhead } from '../../../../api/read/read-ahead.ts'
import type { Snapshot } from '../../../../api/read/snapshot.ts'

const snapshot = {} as Snapshot
const LAST = 9

const vote = (id: number): Query<unknown> => ({
  ...createInnerQuery({
    name: `vote ${id}`,
    proposalId: `${id}`,
    version: () => '',
    read: () => Promise.reject(new Error('votes are not read here')),
  }),
  getAdjacent: () => [id - 1, id + 1].filter((at) => at >= 1 && at <= LAST).map(vote),
})

const setup = (cached: readonly number[]) => {
  const keys = new Set(cached.map((id) => `vote ${id}`))
  const started: string[] = []
  const state = { isIdle: true }
  const readAhead = createReadAhead({
    isCached: ({ name }) => keys.has(name),
    isIdle: () => state.isIdle,
    start: ({ name }) => {
      started.push(name)
      keys.add(name)
    },
  })
  return { readAhead, started, state }
}

describe('reading ahead', () => {
  it('continues in the direction of the client, up or down', () => {
    const up = setup([3])
    up.readAhead.read(snapshot, vote(4))
    expect(up.started).toEqual(['vote 5'])
    const down = setup([5])
    down.readAhead.read(snapshot, vote(4))
    expect(down.started).toEqual(['vote 3'])
  })

  it('continues when the client requests the prefetched page', () => {
    const { readAhead, started } = setup([3, 4])
    readAhead.read(snapshot, vote(4))
    readAhead.found(snapshot, vote(5))
    readAhead.found(snapshot, vote(5))
    expect(started).toEqual(['vote 5', 'vote 6'])
  })

  it('uses the only possible direction at the first and the last page', () => {
    const { readAhead, started } = setup([])
    readAhead.read(snapshot, vote(1))
    readAhead.read(snapshot, vote(LAST))
    expect(started).toEqual(['vote 2', `vote ${LAST - 1}`])
  })

  it('reads nothing for a page without a known direction, nor if both adjacent pages are cached', () => {
    for (const cached of [[], [3, 5]]) {
      const { readAhead, started } = setup(cached)
      readAhead.read(snapshot, vote(4))
      readAhead.found(snapshot, vote(4))
      expect(started).toEqual([])
    }
  })

  it('reads nothing while a request waits for a read', () => {
    const { readAhead, started, state } = setup([3])
    state.isIdle = false
    readAhead.read(snapshot, vote(4))
    expect(started).toEqual([])
  })

  it('stops at the last page of votes', () => {
    const { readAhead, started } = setup([LAST - 1])
    readAhead.read(snapshot, vote(LAST))
    expect(started).toEqual([])
  })
})
