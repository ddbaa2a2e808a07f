// Tests that responses and blocks stay within one budget of memory, and that each of them finishes.
import { expect, it } from 'vitest'
import { EventCollector } from '../../../../../ingest/comet/blocks/event-collector.ts'
import { collectInParts } from '../../../../../ingest/comet/blocks/fetch-block.ts'
import { createMemoryBudget } from '../../../../../ingest/comet/transport/memory-budget.ts'

/** Whether the promise has settled by now. */
const isDone = async (promise: Promise<void> | undefined): Promise<boolean> => {
  let done = promise === undefined
  void promise?.then(() => {
    done = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

it('lets only the first in order exceed the budget, in any order of opening', {
  tags: 'ingest:responses-share-memory',
}, async () => {
  const budget = createMemoryBudget(100)
  const [later, first] = [budget.open(8), budget.open(7)]
  expect(first.part().resize(500)).toBeUndefined()
  const waiting = later.part().resize(1)
  expect(await isDone(waiting)).toBe(false)
  first.close()
  expect(await isDone(waiting)).toBe(true)
})

it('keeps the memory of a block until it is closed, and frees what its responses had in addition', {
  tags: 'ingest:responses-share-memory',
}, async () => {
  const budget = createMemoryBudget(100)
  const [, block, other] = [budget.open(1), budget.open(2), budget.open(3)]
  const response = block.part()
  void response.resize(90)
  const waiting = other.part().resize(50)
  expect(await isDone(waiting)).toBe(false)
  block.settle(60)
  expect(await isDone(waiting)).toBe(false)
  // A response that arrives later than its block was given up counts no more.
  expect(response.resize(1_000)).toBeUndefined()
  block.settle(50)
  expect(await isDone(waiting)).toBe(true)
})

it('never exceeds the budget by more than one response and one part of each other, and finishes all of them', {
  tags: 'ingest:responses-share-memory',
}, async () => {
  const total = 1_000
  const budget = createMemoryBudget(total)
  let usedBytes = 0
  let most = 0
  const receive = async (parts: number, bytes: number) => {
    const reservation = budget.open()
    const part = reservation.part()
    for (let count = 1; count <= parts; count++) {
      usedBytes += bytes
      most = Math.max(most, usedBytes)
      await part.resize(count * bytes)
      await new Promise((resolve) => setImmediate(resolve))
    }
    usedBytes -= parts * bytes
    reservation.close()
  }
  await Promise.all(Array.from({ length: 60 }, (_, order) => receive(10, 1 + (order % 30))))
  expect(usedBytes).toBe(0)
  expect(most).toBeGreaterThan(total / 2)
  expect(most).toBeLessThanOrEqual(total + 10 * 30 + 2 * 30 * 15)
})

it('counts what is kept of the events of a block while they are read', async () => {
  const events = [
    { type: 'proposal_vote', attributes: [{ key: 'voter', value: 'a'.repeat(1_000) }] },
  ]
  const memory = createMemoryBudget(100).open()
  const collector = new EventCollector()
  await collectInParts(
    Buffer.from(JSON.stringify({ result: { end_block_events: events } })),
    collector,
    memory,
  )
  expect(collector.bytes).toBeGreaterThan(1_000)
  expect(memory.peakBytes).toBe(collector.bytes)
})
