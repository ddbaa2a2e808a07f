// Tests that results are in order at any speed of work, with limits on both sides.
import { describe, expect, it } from 'vitest'
import { createOrderedQueue } from '../../../ingest/ordered-queue.ts'

const later = <T>(value: T, ms: number) =>
  new Promise<T>((resolve) => setTimeout(() => resolve(value), ms))

describe('an ordered queue', () => {
  it('returns results in order, whichever is ready first', async () => {
    const queue = createOrderedQueue<number>({ items: 10, bytes: 100 })
    await queue.push(later(1, 10))
    await queue.push(later(2, 1))
    await queue.push(Promise.resolve(3))
    queue.end()
    const seen: number[] = []
    for await (const item of queue.items()) seen.push(item)
    expect(seen).toEqual([1, 2, 3])
  })

  it('makes the producer wait when it is full', async () => {
    const queue = createOrderedQueue<number>({ items: 2, bytes: 100 })
    await queue.push(Promise.resolve(1))
    await queue.push(Promise.resolve(2))
    let isPushed = false
    const third = queue.push(Promise.resolve(3)).then(() => {
      isPushed = true
    })
    await later(null, 2)
    expect(isPushed).toBe(false)
    await queue.items().next()
    await third
    expect(isPushed).toBe(true)
  })

  it('makes the producer wait for memory, but takes an item of any size if it is empty', async () => {
    const queue = createOrderedQueue<number>({ items: 10, bytes: 100 })
    await queue.push(Promise.resolve(1), 500)
    let isPushed = false
    const second = queue.push(Promise.resolve(2), 1).then(() => {
      isPushed = true
    })
    await later(null, 2)
    expect(isPushed).toBe(false)
    await queue.items().next()
    await second
    expect(isPushed).toBe(true)
  })

  it('throws a failed item in its turn, after earlier items', async () => {
    const queue = createOrderedQueue<number>({ items: 10, bytes: 100 })
    await queue.push(later(1, 5))
    await queue.push(Promise.reject(new Error('second')))
    const seen: number[] = []
    const reading = async () => {
      for await (const item of queue.items()) seen.push(item)
    }
    await expect(reading()).rejects.toThrow('second')
    expect(seen).toEqual([1])
  })

  it('throws the error of the producer after all pushed items', async () => {
    const queue = createOrderedQueue<number>({ items: 10, bytes: 100 })
    await queue.push(Promise.resolve(1))
    queue.end(new Error('source'))
    const items = queue.items()
    expect(await items.next()).toEqual({ done: false, value: 1 })
    await expect(items.next()).rejects.toThrow('source')
  })

  it('releases the producer when the consumer has stopped', async () => {
    const queue = createOrderedQueue<number>({ items: 1, bytes: 100 })
    await queue.push(Promise.resolve(1))
    const items = queue.items()
    await items.next()
    await queue.push(Promise.resolve(2))
    const waiting = queue.push(Promise.resolve(3))
    await items.return(undefined)
    await expect(waiting).resolves.toBeUndefined()
  })
})
