// Tests the probe of the pace of an endpoint, with simulated limits and a clock of its own.
import { describe, expect, it } from 'vitest'
import { type PaceAnswer, probePace } from '../../../../../infra/app/doctor/pace.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const { signal } = new AbortController()

const setup = (answerAt: (ms: number, sentMs: readonly number[]) => PaceAnswer) => {
  const clock = createFakeClock()
  const sentMs: number[] = []
  const ask = async () => {
    sentMs.push(clock.now())
    return answerAt(clock.now(), sentMs)
  }
  return { run: () => probePace(ask, { clock, signal }), sentMs }
}

const refused = (retryAfterSeconds?: number): PaceAnswer => ({
  ok: false,
  reason: 'HTTP status 429',
  isRefusal: true,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
})

describe('the probe of the pace', () => {
  it('rises to 25 to 30 requests per second in three seconds, with less than 50 requests', async () => {
    const { run, sentMs } = setup(() => ({ ok: true }))
    const { perSecond, requests, seconds, stopped } = await run()
    expect(stopped).toBeUndefined()
    expect(requests).toBeLessThan(50)
    expect(perSecond).toBeGreaterThanOrEqual(25)
    expect(perSecond).toBeLessThanOrEqual(30)
    expect(seconds).toBeLessThanOrEqual(3)
    const gaps = sentMs.slice(1).map((ms, index) => ms - sentMs[index]!)
    expect(gaps).toEqual([...gaps].sort((one, other) => other - one))
  })

  it('sends nothing after the first refusal, and reports its Retry-After', async () => {
    const { run, sentMs } = setup((nowMs, sent) =>
      sent.filter((ms) => ms > nowMs - 1000).length > 10 ? refused(7) : { ok: true },
    )
    const { perSecond, requests, stopped } = await run()
    // A second has its begin or its end.
    expect([10, 11]).toContain(perSecond)
    expect(stopped).toEqual({ reason: 'HTTP status 429', isRefusal: true, retryAfterSeconds: 7 })
    expect(requests).toBe(sentMs.length)
    expect(sentMs.at(-1)).toBeLessThan(1_500)
  })

  it('reports a failure that is not a refusal', async () => {
    const broken: PaceAnswer = { ok: false, reason: 'socket hang up', isRefusal: false }
    const { run } = setup((_, sent) => (sent.length > 3 ? broken : { ok: true }))
    expect((await run()).stopped).toEqual({ reason: 'socket hang up', isRefusal: false })
  })

  it('has at most six requests in flight', async () => {
    const clock = createFakeClock()
    let most = 0
    let inFlight = 0
    const ask = async (): Promise<PaceAnswer> => {
      most = Math.max(most, ++inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight--
      return { ok: true }
    }
    await probePace(ask, { clock, signal })
    expect(most).toBe(6)
  })
})
