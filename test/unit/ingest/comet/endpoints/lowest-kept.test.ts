// Tests the search for the lowest height that an endpoint keeps.
import { describe, expect, it } from 'vitest'
import { findLowestKept } from '../../../../../ingest/comet/endpoints/window.ts'

const search = async (range: { from: number; to: number }, lowest: number) => {
  const asked: number[] = []
  const found = await findLowestKept(range, async (height) => {
    asked.push(height)
    return height >= lowest
  })
  return { found, asked }
}

describe('the search for the lowest kept height', () => {
  const range = { from: 1, to: 20_000_000 }

  it.each([
    [1, 2],
    [2, 32],
    [12_345_678, 32],
    [19_637_120, 28],
    [19_999_901, 16],
    [19_999_998, 10],
    [20_000_000, 8],
  ])('finds %i of 20,000,000 with at most %i requests', async (lowest, most) => {
    const { found, asked } = await search(range, lowest)
    expect(found).toBe(lowest)
    expect(asked.length).toBeLessThanOrEqual(most)
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(range.from)
  })

  it('finds every boundary of a short range', async () => {
    for (let lowest = 5; lowest <= 40; lowest++) {
      expect((await search({ from: 5, to: 40 }, lowest)).found).toBe(lowest)
    }
  })

  it('finds nothing if not even the last height is kept, and one height if there is only one', async () => {
    expect((await search(range, 20_000_001)).found).toBeNull()
    expect(await search({ from: 7, to: 7 }, 1)).toEqual({ found: 7, asked: [7] })
    expect((await search({ from: 9, to: 7 }, 1)).found).toBe(7)
  })
})
