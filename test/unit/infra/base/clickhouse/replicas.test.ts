// Tests of which replica gets a call: the last working one, then each other one at most once.
import { describe, expect, it } from 'vitest'
import { createReplicas } from '../../../../../infra/base/clickhouse/replicas.ts'

class Away extends Error {}

const setup = (count = 3) => {
  const away = new Set<string>()
  const tried: string[] = []
  const names = Array.from({ length: count }, (_, at) => `r${at + 1}`)
  const replicas = createReplicas(names)
  const ask = () =>
    replicas.run(
      async (name) => {
        tried.push(name)
        if (away.has(name)) throw new Away(name)
        return name
      },
      (error) => error instanceof Away,
    )
  return { replicas, away, tried, ask }
}

describe('the replicas of a store', () => {
  it('serve a call with the next one if the first is unavailable, and later calls too', async () => {
    const { ask, tried, away } = setup()
    away.add('r1')
    expect(await ask()).toBe('r2')
    away.clear()
    expect(await ask()).toBe('r2')
    expect(tried).toEqual(['r1', 'r2', 'r2'])
  })

  it('are called once each, and the last error is thrown', async () => {
    const { ask, tried, away } = setup()
    for (const name of ['r1', 'r2', 'r3']) away.add(name)
    await expect(ask()).rejects.toThrow('r3')
    expect(tried).toEqual(['r1', 'r2', 'r3'])
  })

  it('are not called again if another replica cannot help', async () => {
    const { replicas } = setup()
    const tried: string[] = []
    const refuse = async (name: string) => {
      tried.push(name)
      throw new RangeError('a wrong statement')
    }
    const answer = replicas.run(refuse, (error) => error instanceof Away)
    await expect(answer).rejects.toThrow('a wrong statement')
    expect(tried).toEqual(['r1'])
  })

  it('start with the next one after a timeout of the current one', async () => {
    const { ask, replicas } = setup()
    replicas.moveOn()
    expect(await ask()).toBe('r2')
  })
})
