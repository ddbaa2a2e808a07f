// All answers that are received at once stay within one budget, and each of them gets done.
import { expect, it } from 'vitest'
import { createAnswerBudget } from '../../../../ingest/comet/answer-budget.ts'

/** Resolves to whether the promise has settled by now. */
const isDone = async (promise: Promise<void> | undefined): Promise<boolean> => {
  let done = promise === undefined
  void promise?.then(() => {
    done = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

it('lets answers pass while there is room for them', () => {
  const budget = createAnswerBudget(100, 40)
  expect(budget.open().add(30)).toBeUndefined()
  expect(budget.open().add(30)).toBeUndefined()
})

it('lets one answer at a time grow beyond the shared room, and the others wait for it', async () => {
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

it('never receives more at once than the budget, whatever the answers are, and ends all of them', {
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

it('goes on without an answer that was given up while it waited', async () => {
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
