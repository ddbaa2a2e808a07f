// Tests of the order in which the components start, restart and stop.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { ChildExit } from '../../../../../infra/app/start/children.ts'
import type { MachineService } from '../../../../../infra/app/start/plan.ts'
import { type ChildName, type Parts, supervise } from '../../../../../infra/app/start/supervise.ts'
import { AppError, hasCode } from '../../../../../infra/base/runtime/errors.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'

const ENDED: ChildExit = { code: 0, signal: null, failure: undefined }
const access = { url: 'http://127.0.0.1:1234', username: 'rollcall', password: 'p' }

type Setup = Partial<Parts> & { isAnswering?: () => boolean; neverReady?: MachineService }

const setup = ({ isAnswering = () => true, neverReady, ...overrides }: Setup = {}) => {
  const logger = pino({ level: 'silent' })
  const lifecycle = createLifecycle({ logger, budgetMs: 1_000 })
  const story: string[] = []
  const down = new Map<ChildName, string>()
  const enders: Record<string, (exit: ChildExit) => void> = {}
  const createChild = (name: string) => {
    const exited = new Promise<ChildExit>((resolve) => {
      enders[name] = resolve
    })
    return { exited, end: async () => enders[name]?.(ENDED) }
  }
  const recordAndEnd = async (what: string, end: () => Promise<void>) => {
    story.push(what)
    await end()
  }
  const parts: Parts = {
    startEngine: async (previous) => {
      story.push(previous ? `engine again on ${previous.url}` : 'engine')
      const { exited, end } = createChild('engine')
      const kill = () => recordAndEnd('engine killed', end)
      const health = { isAnswering: async () => isAnswering(), kill }
      return { access, exited, health, close: () => recordAndEnd('engine closed', end) }
    },
    prepareStore: async () => void story.push('tables'),
    startService: (name, store) => {
      const never = new Promise<never>(() => {})
      const started = store.then(
        () => {
          story.push(name)
          return name === neverReady ? never : undefined
        },
        () => never,
      )
      const { exited, end } = createChild(name)
      const stop = () => recordAndEnd(`${name} stopped`, end)
      return { pid: 1, started, exited, stop }
    },
    ...overrides,
  }
  const start = () =>
    supervise({
      parts,
      lifecycle,
      logger,
      onStarted: (name) => void story.push(`${name} ready`),
      down,
      watchLimits: { everyMs: 1, timeoutMs: 1, misses: 3 },
      limits: { limit: 2, windowMs: 60_000, baseDelayMs: 1, maxDelayMs: 1 },
      stopTimeoutMs: 100,
    })
  return { start, lifecycle, story, enders, down }
}

describe('supervision', () => {
  it('starts the store, then its clients, and stops both in reverse order', async () => {
    const { start, lifecycle, story } = setup()
    await start()
    await expect.poll(() => story).toContain('reader ready')
    await lifecycle.shutdown('test')
    expect(story.slice(0, 4)).toEqual(['engine', 'tables', 'writer', 'reader'])
    expect(story.slice(-3)).toEqual(['writer stopped', 'reader stopped', 'engine closed'])
  })

  it('restarts a writer that crashed, and no other component', async () => {
    const { start, lifecycle, story, enders } = setup()
    await start()
    enders['writer']?.({ ...ENDED, signal: 'SIGSEGV' })
    await expect.poll(() => story.filter((each) => each === 'writer')).toHaveLength(2)
    expect(story.filter((each) => each === 'reader')).toHaveLength(1)
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toBeUndefined()
  })

  it('restarts a crashed engine on the same port, where its clients expect it', async () => {
    const { start, lifecycle, story, enders } = setup()
    await start()
    enders['engine']?.({ ...ENDED, signal: 'SIGKILL' })
    await expect.poll(() => story).toContain(`engine again on ${access.url}`)
    expect(story.filter((each) => each === 'tables')).toHaveLength(2)
    await lifecycle.shutdown('test')
    expect(story.at(-1)).toBe('engine closed')
  })

  it('ends everything when a child fails for a reason that stays', async () => {
    const { start, lifecycle, story, enders } = setup()
    await start()
    const failure = { code: 'LOG_DAMAGED', message: 'log.db is damaged' }
    enders['writer']?.({ ...ENDED, code: 65, failure })
    await expect.poll(() => story).toContain('engine closed')
    expect(hasCode(lifecycle.failure(), 'LOG_DAMAGED')).toBe(true)
  })

  it('keeps serving while the writer ends again and again, and says so until it runs', async () => {
    const { start, lifecycle, story, enders, down } = setup({ neverReady: 'writer' })
    await start()
    for (let starts = 1; starts <= 8; starts++) {
      await expect.poll(() => story.filter((each) => each === 'writer')).toHaveLength(starts)
      enders['writer']?.({ ...ENDED, code: 1 })
    }
    await expect.poll(() => story.filter((each) => each === 'writer')).toHaveLength(9)
    expect(story.filter((each) => each === 'reader')).toHaveLength(1)
    expect(down.get('writer')).toMatch(/ended 8 times within 1 minutes/)
    expect([...down.keys()]).toEqual(['writer'])
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toBeUndefined()
  })

  it('starts a reader that has served again however often it ends', async () => {
    const { start, lifecycle, story, enders, down } = setup()
    await start()
    for (let starts = 1; starts <= 6; starts++) {
      const times = () => story.filter((each) => each === 'reader ready')
      await expect.poll(() => times()).toHaveLength(starts)
      enders['reader']?.({ ...ENDED, code: 1 })
    }
    await expect.poll(() => story.filter((each) => each === 'reader ready')).toHaveLength(7)
    expect([...down]).toEqual([])
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toBeUndefined()
  })

  it('keeps the reason of a writer that failed until it has run for a while', async () => {
    const { start, lifecycle, story, enders, down } = setup()
    await start()
    const failure = { code: 'FOLD_FAILED', message: 'could not fold the event at offset 12' }
    const times = () => story.filter((each) => each === 'writer ready').length
    for (let runs = 1; runs <= 3; runs++) {
      await expect.poll(() => times()).toBe(runs)
      enders['writer']?.({ ...ENDED, code: 70, failure })
    }
    await expect.poll(() => times()).toBe(4)
    expect([...down]).toEqual([
      ['writer', expect.stringContaining('could not fold the event at offset 12')],
    ])
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toBeUndefined()
  })

  it('starts an engine again however often it ends', async () => {
    const { start, lifecycle, story, enders } = setup()
    await start()
    const again = `engine again on ${access.url}`
    for (let starts = 0; starts <= 5; starts++) {
      await expect.poll(() => story.filter((each) => each === again)).toHaveLength(starts)
      enders['engine']?.({ ...ENDED, signal: 'SIGABRT' })
    }
    await expect.poll(() => story.filter((each) => each === again)).toHaveLength(6)
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toBeUndefined()
  })

  it('replaces an engine that does not respond three times in a row', async () => {
    const answers = [true, false, false, true, false, false, false]
    const { start, lifecycle, story } = setup({ isAnswering: () => answers.shift() ?? true })
    await start()
    await expect.poll(() => story).toContain(`engine again on ${access.url}`)
    expect(answers).toEqual([])
    expect(story.filter((each) => each === 'engine killed')).toHaveLength(1)
    expect(story.filter((each) => each === 'reader')).toHaveLength(1)
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toBeUndefined()
  })

  it('restarts an engine that ended during the first start at most twice', async () => {
    let starts = 0
    const died = new AppError('ENGINE_FAILED', 'no message', { retryable: true })
    const startEngine = (living: number) => async () => {
      starts += 1
      if (starts < living) throw died
      return { access, exited: new Promise<ChildExit>(() => {}), close: async () => {} }
    }
    const third = setup({ startEngine: startEngine(3) })
    await expect(third.start()).resolves.toBe(access)
    expect(starts).toBe(3)
    await third.lifecycle.shutdown('test')
    starts = 0
    await expect(setup({ startEngine: startEngine(4) }).start()).rejects.toBe(died)
    expect(starts).toBe(3)
  })

  it('stops everything if the reader ends repeatedly and never served', async () => {
    const { start, lifecycle, story, enders } = setup({ neverReady: 'reader' })
    await start()
    for (const starts of [1, 2, 3]) {
      await expect.poll(() => story.filter((each) => each === 'reader')).toHaveLength(starts)
      enders['reader']?.({ ...ENDED, code: 1 })
    }
    await expect.poll(() => story).toContain('engine closed')
    expect(hasCode(lifecycle.failure(), 'CHILD_FAILED')).toBe(true)
    expect(story).toContain('writer stopped')
  })

  it('stops the engine and starts nothing if the tables cannot be created', async () => {
    const refused = new AppError('STORE_REFUSED', 'no such type')
    const { start, story } = setup({ prepareStore: () => Promise.reject(refused) })
    await expect(start()).rejects.toBe(refused)
    expect(story).toEqual(['engine', 'engine closed'])
  })
})
