// Tests of the embedded log: the contract of the event log, kill -9 and a full disk.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { describeEventLog } from '../contracts/log.ts'
import { readAll } from '../support/log/log-entries.ts'
import { type ChildOptions, startChild } from '../support/process/child.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

describeEventLog('the embedded log', async () => {
  const directory = createTemporaryDirectory('log')
  const path = join(directory.path, 'log')
  return {
    open: () => openEmbeddedLog({ path }),
    openReader: () => openEmbeddedLog({ path, readOnly: true }),
    remove: async () => directory.remove(),
  }
})

const createPath = () => {
  const directory = createTemporaryDirectory('log')
  onTestFinished(directory.remove)
  return join(directory.path, 'log')
}

/** Most of the time of a writer is in an append, so that a kill interrupts one. */
const ENTRIES_PER_HEIGHT = 600
const startWriter = (path: string, options: ChildOptions = {}) =>
  startChild(
    import.meta.resolve('../support/log/log-writer.ts'),
    [path, `${ENTRIES_PER_HEIGHT}`],
    options,
  )

const countByHeight = async (path: string): Promise<Map<number, number>> => {
  const log = await openEmbeddedLog({ path })
  const counts = new Map<number, number>()
  for (const { height } of await readAll(log)) counts.set(height, (counts.get(height) ?? 0) + 1)
  await log.close()
  return counts
}

const expectWholeHeights = (counts: Map<number, number>) => {
  expect([...counts.keys()]).toEqual(Array.from(counts, (_, at) => at + 1))
  expect([...counts.values()].filter((count) => count !== ENTRIES_PER_HEIGHT)).toEqual([])
}

describe('a writer that is killed with SIGKILL', () => {
  it('leaves whole heights only, and every height that it reported, after each of many kills', {
    tags: ['ingest:height-is-atomic', 'infra:append-is-atomic'],
  }, async () => {
    const path = createPath()
    let reportedHeight = 0
    // Each at another moment of the append after the reported one.
    for (const delayMs of [0, 1, 2, 3, 4, 6, 8, 11, 15, 20]) {
      const child = startWriter(path)
      const least = reportedHeight
      await child.line((line) => Number(line['height']) > least)
      await pause(delayMs)
      await child.kill()
      reportedHeight = Number(child.lines.at(-1)?.['height'])
      const counts = await countByHeight(path)
      expectWholeHeights(counts)
      expect(counts.size).toBeGreaterThanOrEqual(reportedHeight)
      reportedHeight = counts.size
    }
  })

  it('leaves a log that the next writer continues, while a reader stays open', async () => {
    const path = createPath()
    const first = startWriter(path)
    await first.line((line) => Number(line['height']) >= 2)
    const reader = await openEmbeddedLog({ path, readOnly: true })
    await first.kill()
    const end = await reader.end()
    const second = startWriter(path)
    await reader.waitFor(end, { timeoutMs: 20_000, signal: new AbortController().signal })
    expect(await reader.end()).toBeGreaterThan(end)
    await second.kill()
    await reader.close()
  })
})

describe('a full disk', () => {
  it('refuses the append with LOG_FULL, earlier heights stay readable, and appends continue with free space', {
    tags: 'infra:append-is-atomic',
  }, async () => {
    const path = createPath()
    const limited = startWriter(path, { before: 'ulimit -f 4096' })
    const refusal = await limited.line((line) => 'code' in line)
    await limited.exited
    const heights = limited.lines.filter((line) => 'height' in line).length
    expect(heights).toBeGreaterThan(3)
    expect(refusal).toEqual({ code: 'LOG_FULL', readable: heights })
    const counts = await countByHeight(path)
    expectWholeHeights(counts)
    expect(counts.size).toBe(heights)
    const roomy = startWriter(path)
    await roomy.line((line) => line['height'] === heights + 3)
    await roomy.kill()
    expectWholeHeights(await countByHeight(path))
  })
})

it('a reader that opens the log before the writer gets a retryable error', async () => {
  await expect(openEmbeddedLog({ path: createPath(), readOnly: true })).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    retryable: true,
  })
})
