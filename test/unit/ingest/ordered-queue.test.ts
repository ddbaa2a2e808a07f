// Tests that results are in order at any speed of work, with limits on both sides.
import { expect, it } from 'vitest'
import { createOrderedQueue, type QueueLimits } from '../../../ingest/ordered-queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it.each<[string, QueueLimits, bytes: number]>([
  ['two items', { items: 2, bytes: 1_000 }, 1],
  ['the memory of two items', { items: 10, bytes: 250 }, 100],
  ['an item of any size', { items: 10, bytes: 10 }, 100],
])('takes up to %s, and continues for each one that is read', async (_, limits, bytes) => {
  const queue = createOrderedQueue<number>(limits)
  const most = bytes > limits.bytes ? 1 : 2
  let pushed = 0
  const producing = (async () => {
    for (; pushed < 5; pushed++) await queue.push(Promise.resolve(pushed), bytes)
    queue.end(new Error('no more blocks'))
  })()
  const items = queue.items()
  for (let read = 0; read < 5; read++) {
    await turn()
    expect(pushed).toBe(Math.min(5, read + most))
    expect(await items.next()).toEqual({ done: false, value: read })
  }
  await producing
  await expect(items.next()).rejects.toThrow('no more blocks')
})

it('throws a failed item in its turn, and releases the producer', async () => {
  const queue = createOrderedQueue<number>({ items: 3, bytes: 100 })
  let finishFirst = (_: number): void => {}
  await queue.push(new Promise((resolve) => (finishFirst = resolve)))
  await queue.push(Promise.reject(new Error('second')))
  await queue.push(Promise.resolve(3))
  const waiting = (async () => {
    for (let more = 4; more < 10; more++) await queue.push(Promise.resolve(more))
  })()
  const items = queue.items()
  const first = items.next()
  finishFirst(1)
  expect(await first).toEqual({ done: false, value: 1 })
  await expect(items.next()).rejects.toThrow('second')
  await expect(waiting).resolves.toBeUndefined()
})
