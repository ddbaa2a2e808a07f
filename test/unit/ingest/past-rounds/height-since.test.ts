// Tests the search for the first block since a time: few reads, whatever the times of the blocks are.
import { describe, expect, it } from 'vitest'
import { isKnown } from '../../../../ingest/chain/answer.ts'
import { findHeightSince } from '../../../../ingest/past-rounds/round-ends.ts'

const START_MS = Date.UTC(2021, 0, 1)
const toTime = (ms: number) => new Date(START_MS + ms).toISOString()

const search = async (
  msOf: (height: number) => number,
  { time, tip, earliestHeight = 1 }: { time: string; tip: number; earliestHeight?: number },
) => {
  let headers = 0
  const node = {
    status: async () => ({ earliestHeight }) as never,
    header: async (height: number) => {
      headers += 1
      return { height, time: toTime(msOf(height)), previousHash: 'AA' }
    },
  }
  const answer = await findHeightSince(node, {
    time,
    tip: { height: tip, time: toTime(msOf(tip)) },
  })
  return { answer: isKnown(answer) ? answer.value : answer.unavailable, headers }
}

const TIP = 16_000_000
/** Eras with blocks of 5.5 to 7.5 seconds, and a halt of a day. */
const uneven = (height: number): number =>
  6_500 * height +
  3e8 * Math.sin(height / 1_000_000) +
  900 * Math.sin(height * 1.3) +
  (height > 9_000_000 ? 86_400_000 : 0)

describe('the first block since a time', () => {
  it.each([2, 1_234_567, 8_999_999, 9_000_001, 12_345_678, TIP])(
    'is found by about ten headers on a long chain: height %d',
    async (height) => {
      const found = await search(uneven, { time: toTime(uneven(height)), tip: TIP })
      expect(found.answer).toEqual({ height, first: null })
      expect(found.headers).toBeLessThanOrEqual(14)
    },
  )

  it('is the first one of several with the same time', async () => {
    const steps = (height: number) => Math.floor(height / 1_000) * 60_000
    const { answer, headers } = await search(steps, { time: toTime(60_000 * 777), tip: 2_000_000 })
    expect(answer).toEqual({ height: 777_000, first: null })
    expect(headers).toBeLessThanOrEqual(40)
  })

  it('is compared to the nanosecond', async () => {
    const at = (height: number) => `2026-01-01T00:00:00.${String(height).padStart(9, '0')}Z`
    const node = {
      status: async () => ({ earliestHeight: 1 }) as never,
      header: async (height: number) => ({ height, time: at(height), previousHash: '' }),
    }
    const answer = await findHeightSince(node, { time: at(41), tip: { height: 99, time: at(99) } })
    expect(answer).toEqual({ value: { height: 41, first: null } })
  })

  it('is none if the tip is earlier', async () => {
    expect(await search((height) => height, { time: toTime(11), tip: 10 })).toEqual({
      answer: undefined,
      headers: 0,
    })
  })

  it('is the first block of the endpoint if that one is later', async () => {
    const at = (height: number) => height * 1_000
    const options = { time: toTime(5_000), tip: 100, earliestHeight: 20 }
    const { answer } = await search(at, options)
    expect(answer).toMatchObject({ height: 20, first: { height: 20, time: toTime(20_000) } })
  })

  it('is not a time of the year 9999', async () => {
    const { answer } = await search((height) => height, { time: '9999-12-31T23:59:59Z', tip: 10 })
    expect(answer).toBe('9999-12-31T23:59:59Z is not a time of a block')
  })

  it('ends after 40 headers if the times of an endpoint are invented', async () => {
    const far = (height: number) => (height === 2 ** 52 ? 1e12 : 0)
    const { answer, headers } = await search(far, { time: toTime(5e11), tip: 2 ** 52 })
    expect(headers).toBe(41)
    expect(answer).toMatch(/^no block since .* was found by 40 headers$/)
  })
})
