// Tests of the shutdown of a process: its order, its time limit, and failing components.
import { describe, expect, it } from 'vitest'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

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
  it('fires its signal and closes the components in reverse order', async () => {
    const { lifecycle, closed, part } = setup()
    part('log', async () => expect(lifecycle.signal.aborted).toBe(true))
    part('server')
    part('loop')
    await lifecycle.shutdown('test')
    expect(closed).toEqual(['loop', 'server', 'log'])
  })

  it('closes once, however often close is called', async () => {
    const { lifecycle, closed, part } = setup()
    part('only')
    await Promise.all([lifecycle.shutdown('first'), lifecycle.shutdown('second')])
    expect(closed).toEqual(['only'])
  })

  it('closes the other components if one throws, and names it', async () => {
    const { lifecycle, closed, lines, part } = setup()
    part('log')
    part('server', async () => {
      throw new Error('stuck socket')
    })
    await lifecycle.shutdown('test')
    expect(closed).toEqual(['server', 'log'])
    expect(lines.find((line) => line['component'] === 'server')).toMatchObject({ level: 'error' })
  })

  it('skips a component that exceeds the time limit, and still closes the others', async () => {
    const { lifecycle, closed, lines, part } = setup(20)
    part('log')
    part('stuck', () => new Promise(() => {}))
    await lifecycle.shutdown('test')
    expect(closed).toEqual(['stuck', 'log'])
    expect(lines.some((line) => line.level === 'warn' && line['component'] === 'stuck')).toBe(true)
  })

  it('shuts down on a failure, logs it and keeps the first one', async () => {
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
