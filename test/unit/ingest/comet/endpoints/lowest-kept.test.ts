// Tests the search for the lowest height that an endpoint keeps.
import { expect, it } from 'vitest'
import { findLowestKept } from '../../../../../ingest/comet/endpoints/window.ts'

const search = async (range: { from: number; to: number }, lowest: number) => {
  const asked: number[] = []
  const found = await findLowestKept(range, async (height) => {
    asked.push(height)
    return height >= lowest
  })
  return { found, most: asked.length }
}

it('finds every boundary of a short range, and nothing if not even the last height is kept', async () => {
  for (let lowest = 5; lowest <= 40; lowest++) {
    expect((await search({ from: 5, to: 40 }, lowest)).found).toBe(lowest)
  }
  expect((await search({ from: 5, to: 40 }, 41)).found).toBeNull()
})

it.each([
  [2, 32],
  [19_637_120, 28],
  [20_000_000, 8],
])('finds %i of 20,000,000 with at most %i requests', async (lowest, most) => {
  const limits = await search({ from: 1, to: 20_000_000 }, lowest)
  expect(limits.found).toBe(lowest)
  expect(limits.most).toBeLessThanOrEqual(most)
})
