// Tests of turns: clients rotate, one piece of work runs at a time, and each is charged with what its own work took.
import { describe, expect, it } from 'vitest'
import { createTurns } from '../../../../../../infra/base/http/limits/turns.ts'

const setup = () => {
  const charged: [string, number][] = []
  const order: string[] = []
  let nowMs = 0
  const turns = createTurns({
    onWork: (address, ms) => void charged.push([address, ms]),
    meters: [() => nowMs],
  })
  const work = async (address: string, ms: number) => {
    await turns.take(address)
    order.push(address)
    nowMs += ms
    await Promise.resolve()
    nowMs += ms
  }
  return { turns, charged, order, work }
}

describe('turns', () => {
  it('rotate among clients, whatever each has waiting', async () => {
    const { work, order } = setup()
    const [A, B] = ['192.0.2.1', '192.0.2.2']
    await Promise.all([work(A, 1), work(A, 1), work(A, 1), work(B, 1), work(B, 1)])
    expect(order).toEqual([A, B, A, B, A])
  })

  it('are charged with the work up to the next wait for something else', async () => {
    const { work, charged } = setup()
    await Promise.all([work('192.0.2.1', 10), work('192.0.2.2', 2)])
    await new Promise(setImmediate)
    expect(charged).toEqual([
      ['192.0.2.1', 20],
      ['192.0.2.2', 4],
    ])
  })
})
