// Tests of which replica gets a call: the last working one, then each other one at most once.
import { describe, expect, it } from 'vitest'
import { createReplicas } from '../../../../../infra/base/clickhouse/replicas.ts'

class Away extends Error {}

/** Three replicas, of which some fail with an error. */
const setup = (failing: Record<string, Error> = {}) => {
  const tried: string[] = []
  const replicas = createReplicas(['r1', 'r2', 'r3'])
  const call = async (name: string) => {
    tried.push(name)
    if (failing[name]) throw failing[name]
    return name
  }
  return { replicas, tried, ask: () => replicas.run(call, (error) => error instanceof Away) }
}

describe('the replicas of a store', () => {
  it('serve a call with the next one if the first is unavailable, and later calls too', async () => {
    const { ask, tried } = setup({ r1: new Away() })
    expect([await ask(), await ask()]).toEqual(['r2', 'r2'])
    expect(tried).toEqual(['r1', 'r2', 'r2'])
  })

  it('are called once each, and the last error is thrown', async () => {
    const { ask, tried } = setup({ r1: new Away(), r2: new Away(), r3: new Away('r3') })
    await expect(ask()).rejects.toThrow('r3')
    expect(tried).toEqual(['r1', 'r2', 'r3'])
  })

  it('are not called again if another replica cannot help', async () => {
    const { ask, tried } = setup({ r1: new RangeError('a wrong statement') })
    await expect(ask()).rejects.toThrow('a wrong statement')
    expect(tried).toEqual(['r1'])
  })

  it('start with the next one after a timeout of the current one', async () => {
    const { ask, replicas } = setup()
    replicas.moveOn()
    expect(await ask()).toBe('r2')
  })
})
