// The order in which the product's parts start, are started again and end.
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { AppError, hasCode } from '../../../../infra/runtime/errors.ts'
import { createLifecycle } from '../../../../infra/runtime/lifecycle.ts'
import type { ChildExit } from '../../../../infra/supervisor/child.ts'
import { type Parts, type RoleName, supervise } from '../../../../infra/supervisor/supervise.ts'

const ENDED: ChildExit = { code: 0, signal: null, failure: undefined }
const access = { url: 'http://127.0.0.1:1234', username: 'rollcall', password: 'p' }

const setup = (overrides: Partial<Parts> = {}) => {
  const log = pino({ level: 'silent' })
  const lifecycle = createLifecycle({ log, budgetMs: 1_000 })
  const story: string[] = []
  const enders: Record<string, (exit: ChildExit) => void> = {}
  const part = (name: string) => {
    const exited = new Promise<ChildExit>((resolve) => {
      enders[name] = resolve
    })
    return { exited, end: async () => enders[name]?.(ENDED) }
  }
  const tellAndEnd = async (what: string, end: () => Promise<void>) => {
    story.push(what)
    await end()
  }
  const parts: Parts = {
    startEngine: async (previous) => {
      story.push(previous ? `engine again on ${previous.url}` : 'engine')
      const { exited, end } = part('engine')
      return { access, exited, close: () => tellAndEnd('engine closed', end) }
    },
    prepareStore: async () => void story.push('tables'),
    startRole: (role: RoleName) => {
      story.push(role)
      const { exited, end } = part(role)
      const stop = () => tellAndEnd(`${role} stopped`, end)
      return { pid: 1, ready: Promise.resolve({ kind: 'ready' }), exited, stop }
    },
    ...overrides,
  }
  const start = () =>
    supervise({
      parts,
      lifecycle,
      log,
      onReady: (role) => void story.push(`${role} ready`),
      limits: { limit: 2, windowMs: 60_000, baseDelayMs: 1, maxDelayMs: 1 },
      stopTimeoutMs: 100,
    })
  return { start, lifecycle, story, enders }
}

describe('supervision', () => {
  it('starts the store, then what needs it, and ends both in the other order', async () => {
    const { start, lifecycle, story } = setup()
    await start()
    await vi.waitFor(() => expect(story).toContain('reader ready'))
    await lifecycle.shutdown('test')
    expect(story.slice(0, 4)).toEqual(['engine', 'tables', 'writer', 'reader'])
    expect(story.slice(-3)).toEqual(['writer stopped', 'reader stopped', 'engine closed'])
  })

  it('starts a writer that crashed again, and leaves the others alone', async () => {
    const { start, lifecycle, story, enders } = setup()
    await start()
    enders['writer']?.({ ...ENDED, signal: 'SIGSEGV' })
    await vi.waitFor(() => expect(story.filter((each) => each === 'writer')).toHaveLength(2))
    expect(story.filter((each) => each === 'reader')).toHaveLength(1)
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toBeUndefined()
  })

  it('starts an engine that crashed again where its clients look for it', async () => {
    const { start, lifecycle, story, enders } = setup()
    await start()
    enders['engine']?.({ ...ENDED, signal: 'SIGKILL' })
    await vi.waitFor(() => expect(story).toContain(`engine again on ${access.url}`))
    expect(story.filter((each) => each === 'tables')).toHaveLength(2)
    await lifecycle.shutdown('test')
    expect(story.at(-1)).toBe('engine closed')
  })

  it('ends everything when a part fails for a reason that stays', async () => {
    const { start, lifecycle, story, enders } = setup()
    await start()
    const failure = { code: 'LOG_DAMAGED', message: 'data.mdb is damaged' }
    enders['writer']?.({ ...ENDED, code: 65, failure })
    await vi.waitFor(() => expect(story).toContain('engine closed'))
    expect(hasCode(lifecycle.failure(), 'LOG_DAMAGED')).toBe(true)
  })

  it('ends everything when a part ends again and again', async () => {
    const { start, lifecycle, story, enders } = setup()
    await start()
    for (const starts of [1, 2, 3]) {
      await vi.waitFor(() => expect(story.filter((each) => each === 'reader')).toHaveLength(starts))
      enders['reader']?.({ ...ENDED, code: 1 })
    }
    await vi.waitFor(() => expect(story).toContain('engine closed'))
    expect(hasCode(lifecycle.failure(), 'PART_FAILED')).toBe(true)
    expect(story).toContain('writer stopped')
  })

  it('closes the engine and starts nothing where the tables cannot be made', async () => {
    const refused = new AppError('STORE_REFUSED', 'no such type')
    const { start, story } = setup({ prepareStore: () => Promise.reject(refused) })
    await expect(start()).rejects.toBe(refused)
    expect(story).toEqual(['engine', 'engine closed'])
  })
})
