// What is read before anybody asks: the next vote of a walk, and nothing where there is no walk.
import { describe, expect, it } from 'vitest'
import type { PageKind } from '../../../../api/pages/page-kind.ts'
import { createReadAhead } from '../../../../api/pages/read-ahead.ts'
import type { Served } from '../../../../api/served/served.ts'

const served = {} as Served
const LAST = 9

const vote = (id: number): PageKind => ({
  proposalId: `${id}`,
  key: () => `vote ${id}`,
  load: () => Promise.reject(new Error('nobody loads here')),
  neighbours: () => [id - 1, id + 1].filter((at) => at >= 1 && at <= LAST).map(vote),
})

const setup = (cached: readonly number[]) => {
  const keys = new Set(cached.map((id) => `vote ${id}`))
  const started: string[] = []
  const state = { isIdle: true }
  const readAhead = createReadAhead({
    isCached: (key) => keys.has(key),
    isIdle: () => state.isIdle,
    start: (_served, kind) => {
      started.push(kind.key(served))
      keys.add(kind.key(served))
    },
  })
  return { readAhead, started, state }
}

describe('reading ahead', () => {
  it('goes on in the direction a walk came from, up or down', () => {
    const up = setup([3])
    up.readAhead.read(served, vote(4))
    expect(up.started).toEqual(['vote 5'])
    const down = setup([5])
    down.readAhead.read(served, vote(4))
    expect(down.started).toEqual(['vote 3'])
  })

  it('goes on once more when the page it had read is asked for', () => {
    const { readAhead, started } = setup([3, 4])
    readAhead.read(served, vote(4))
    readAhead.found(served, vote(5), 'vote 5')
    readAhead.found(served, vote(5), 'vote 5')
    expect(started).toEqual(['vote 5', 'vote 6'])
  })

  it('goes the only way there is from the first or the last', () => {
    const { readAhead, started } = setup([])
    readAhead.read(served, vote(1))
    readAhead.read(served, vote(LAST))
    expect(started).toEqual(['vote 2', `vote ${LAST - 1}`])
  })

  it('reads nothing for a page that nobody walked to, nor where both sides are known', () => {
    for (const cached of [[], [3, 5]]) {
      const { readAhead, started } = setup(cached)
      readAhead.read(served, vote(4))
      readAhead.found(served, vote(4), 'vote 4')
      expect(started).toEqual([])
    }
  })

  it('reads nothing while somebody waits for a reading', () => {
    const { readAhead, started, state } = setup([3])
    state.isIdle = false
    readAhead.read(served, vote(4))
    expect(started).toEqual([])
  })

  it('ends where the votes end', () => {
    const { readAhead, started } = setup([LAST - 1])
    readAhead.read(served, vote(LAST))
    expect(started).toEqual([])
  })
})
