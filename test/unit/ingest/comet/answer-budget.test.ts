// Tests that all concurrent responses stay within one budget, and that each of them finishes.
import { expect, it } from 'vitest'
import { createAnswerBudget } from '../../../../ingest/comet/answer-budget.ts'

/** Whether the promise has settled by now. */
const isDone = async (promise: Promise<void> | undefined): Promise<boolean> => {
  let done = promise === undefined
  void promise?.then(() => {
    done = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

it('admits responses while the budget allows it', () => {
  const budget = createAnswerBudget(100, 40)
  expect(budget.open().add(30)).toBeUndefined()
  expect(budget.open().add(30)).toBeUndefined()
})

it('lets one response at a time exceed the shared budget while the others wait', async () => {
  const budget = createAnswerBudget(100, 40)
  const [one, two, three] = [budget.open(), budget.open(), budget.open()]
  expect(one.add(60)).toBeUndefined()
  expect(two.add(40)).toBeUndefined()
  const waiting = one.add(20)
  const last = three.add(10)
  expect(await isDone(waiting)).toBe(false)
  expect(await isDone(last)).toBe(false)
  two.close()
  expect(await isDone(waiting)).toBe(true)
  expect(await isDone(last)).toBe(false)
  one.close()
  expect(await isDone(last)).toBe(true)
  three.close()
})

it('never exceeds the budget with responses of any size, and finishes all of them', {
  tags: 'ingest:responses-share-memory',
}, async () => {
  const total = 1_000
  const largest = 300
  const budget = createAnswerBudget(total, largest)
  let bufferedBytes = 0
  let most = 0
  const receive = async (parts: number, bytes: number) => {
    const reservation = budget.open()
    let own = 0
    for (let part = 0; part < parts; part++) {
      await reservation.add(bytes)
      own += bytes
      bufferedBytes += bytes
      most = Math.max(most, bufferedBytes)
      await new Promise((resolve) => setImmediate(resolve))
    }
    bufferedBytes -= own
    reservation.close()
  }
  await Promise.all(Array.from({ length: 60 }, (_, order) => receive(10, 1 + (order % 30))))
  expect(bufferedBytes).toBe(0)
  expect(most).toBeGreaterThan(total / 2)
  expect(most).toBeLessThanOrEqual(total)
})

it('continues after a waiting response was aborted', async () => {
  const budget = createAnswerBudget(10, 10)
  const [one, two, three] = [budget.open(), budget.open(), budget.open()]
  expect(one.add(10)).toBeUndefined()
  const abandoned = two.add(5)
  const waiting = three.add(5)
  two.close()
  expect(await isDone(abandoned)).toBe(true)
  expect(await isDone(waiting)).toBe(false)
  one.close()
  expect(await isDone(waiting)).toBe(true)
})
