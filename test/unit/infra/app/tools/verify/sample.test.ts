// Tests of the sample of a stream: uniform, bounded, and deterministic for a seed.
import { describe, expect, it } from 'vitest'
import {
  createSample,
  pickHeight,
  shuffle,
} from '../../../../../../infra/app/tools/verify/sample.ts'

const draw = (seed: string, size: number, of: number): number[] => {
  const sample = createSample<number>(size, seed)
  for (let item = 0; item < of; item++) sample.offer(item)
  return sample.items()
}

describe('a sample', () => {
  it('is the whole stream if it fits', () => {
    expect(draw('a', 10, 4)).toEqual([0, 1, 2, 3])
  })

  it('is in order, without repetition, and has the requested size', () => {
    const items = draw('a', 20, 1_000)
    expect(new Set(items).size).toBe(20)
    expect(items).toEqual(items.toSorted((one, other) => one - other))
    expect(draw('a', 20, 1_000)).toEqual(items)
    expect(draw('b', 20, 1_000)).not.toEqual(items)
  })

  it('is uniform over the stream', () => {
    const drawn = Array.from({ length: 400 }, (_, at) => draw(`seed ${at}`, 10, 100)).flat()
    const lower = drawn.filter((item) => item < 50).length
    expect(lower / drawn.length).toBeGreaterThan(0.45)
    expect(lower / drawn.length).toBeLessThan(0.55)
  })

  it('has a shuffled order that depends only on seed and items', () => {
    const items = Array.from({ length: 30 }, (_, at) => at)
    const order = shuffle(items, String, 'a')
    expect(order).not.toEqual(items)
    expect(shuffle(items.toReversed(), String, 'a')).toEqual(order)
    expect(order.toSorted((one, other) => one - other)).toEqual(items)
  })

  it('picks a height within its range', () => {
    for (let seed = 0; seed < 100; seed++) {
      const height = pickHeight(`${seed}`, { from: 7, to: 9 })
      expect([7, 8, 9]).toContain(height)
    }
    expect(pickHeight('a', { from: 5, to: 5 })).toBe(5)
  })
})
