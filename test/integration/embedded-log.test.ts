// Tests of the embedded log: the contract of the event log, kill -9 and a full disk.
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { describeEventLog } from '../contracts/log.ts'
import { readAll } from '../support/log/log-entries.ts'
import { startChild } from '../support/process/child.ts'
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../support/process/temporary-directory.ts'

describeEventLog('the embedded log', async () => {
  const directory = createTemporaryDirectory('log')
  const path = join(directory.path, 'log')
  return {
    open: () => openEmbeddedLog({ path }),
    openReader: () => openEmbeddedLog({ path, readOnly: true }),
    remove: async () => directory.remove(),
  }
})

const directories: TemporaryDirectory[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove()
})

const setup = () => {
  const directory = createTemporaryDirectory('log')
  directories.push(directory)
  const path = join(directory.path, 'log')
  return { path }
}

const writer = import.meta.resolve('../support/log/log-writer.ts')
const ENTRIES_PER_HEIGHT = 60

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
    const { path } = setup()
    let reportedHeight = 0
    for (const killAfter of [1, 2, 5, 13]) {
      const child = startChild(writer, [path])
      const target = reportedHeight + killAfter
      await child.line((line) => Number(line['height']) >= target)
      await child.kill()
      reportedHeight = Number(child.lines.at(-1)?.['height'])
      const counts = await countByHeight(path)
      expectWholeHeights(counts)
      expect(counts.size).toBeGreaterThanOrEqual(reportedHeight)
      reportedHeight = counts.size
    }
  })

  it('leaves a log that the next writer continues, while a reader stays open', async () => {
    const { path } = setup()
    const first = startChild(writer, [path])
    await first.line((line) => Number(line['height']) >= 2)
    const reader = await openEmbeddedLog({ path, readOnly: true })
    await first.kill()
    const end = await reader.end()
    const second = startChild(writer, [path])
    await reader.waitFor(end, { timeoutMs: 20_000, signal: new AbortController().signal })
    expect(await reader.end()).toBeGreaterThan(end)
    await second.kill()
    await reader.close()
  })
})

describe('a full disk', () => {
  it('refuses the append with LOG_FULL, and earlier heights stay readable', {
    tags: 'infra:append-is-atomic',
  }, async () => {
    const { path } = setup()
    const child = startChild(writer, [path], { before: 'ulimit -f 4096' })
    const refusal = await child.line((line) => 'code' in line)
    await child.exited
    const heights = child.lines.filter((line) => 'height' in line).length
    expect(heights).toBeGreaterThan(3)
    expect(refusal).toEqual({ code: 'LOG_FULL', readable: heights })
    const counts = await countByHeight(path)
    expectWholeHeights(counts)
    expect(counts.size).toBe(heights)
  })

  it('continues after space is freed', async () => {
    const { path } = setup()
    const limited = startChild(writer, [path], { before: 'ulimit -f 4096' })
    await limited.line((line) => line['code'] === 'LOG_FULL')
    await limited.exited
    const heights = limited.lines.filter((line) => 'height' in line).length
    const roomy = startChild(writer, [path])
    await roomy.line((line) => line['height'] === heights + 3)
    await roomy.kill()
    expectWholeHeights(await countByHeight(path))
  })
})

describe('a reader of the log', () => {
  it('that opens the log before the writer gets a retryable error', async () => {
    const { path } = setup()
    await expect(openEmbeddedLog({ path, readOnly: true })).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      retryable: true,
    })
  })
})
