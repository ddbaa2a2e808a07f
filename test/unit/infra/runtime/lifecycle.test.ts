// The end of a process: in which order, how long at most, and that no part keeps the others from closing.
import { describe, expect, it } from 'vitest'
import { createLifecycle } from '../../../../infra/runtime/lifecycle.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const setup = (budgetMs = 1000) => {
  const { logger, lines } = recordingLogger()
  const closed: string[] = []
  const lifecycle = createLifecycle({ logger, budgetMs })
  const part = (name: string, close: () => Promise<void> = async () => {}) =>
    lifecycle.onShutdown(name, async () => {
      closed.push(name)
      await close()
    })
  return { lifecycle, lines, closed, part }
}

describe('lifecycle', () => {
  it('fires its signal and closes the parts in reverse order', async () => {
    const { lifecycle, closed, part } = setup()
    part('log', async () => expect(lifecycle.signal.aborted).toBe(true))
    part('server')
    part('loop')
    await lifecycle.shutdown('test')
    expect(closed).toEqual(['loop', 'server', 'log'])
  })

  it('closes once however often it is asked to', async () => {
    const { lifecycle, closed, part } = setup()
    part('only')
    await Promise.all([lifecycle.shutdown('first'), lifecycle.shutdown('second')])
    expect(closed).toEqual(['only'])
  })

  it('closes the other parts when one throws, and says which', async () => {
    const { lifecycle, closed, lines, part } = setup()
    part('log')
    part('server', async () => {
      throw new Error('stuck socket')
    })
    await lifecycle.shutdown('test')
    expect(closed).toEqual(['server', 'log'])
    expect(lines.find((line) => line['part'] === 'server')).toMatchObject({ level: 'error' })
  })

  it('leaves a part that takes longer than the budget, and still asks the rest', async () => {
    const { lifecycle, closed, lines, part } = setup(20)
    part('log')
    part('stuck', () => new Promise(() => {}))
    const startedMs = performance.now()
    await lifecycle.shutdown('test')
    expect(performance.now() - startedMs).toBeLessThan(1000)
    expect(closed).toEqual(['stuck', 'log'])
    expect(lines.some((line) => line.level === 'warn' && line['part'] === 'stuck')).toBe(true)
  })

  it('ends on a failure, logs it and remembers the first', async () => {
    const { lifecycle, closed, lines, part } = setup()
    part('log')
    lifecycle.fail(new Error('first'))
    lifecycle.fail(new Error('second'))
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toMatchObject({ message: 'first' })
    expect(closed).toEqual(['log'])
    expect(lines.filter((line) => line.level === 'fatal')).toHaveLength(2)
  })
})
