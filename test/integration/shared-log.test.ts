// Tests of an embedded log that several processes append to: the common contract, and no loss.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EMBEDDED_LOG_FILE, openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { describeAppender } from '../contracts/appender.ts'
import { createEntry, decodeText, readAll } from '../support/log/log-entries.ts'
import { startChild } from '../support/process/child.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

describeAppender('a shared embedded log', async () => {
  const directory = createTemporaryDirectory('shared-log')
  const path = join(directory.path, 'log')
  return {
    open: () => openEmbeddedLog({ path, shared: true }),
    openReader: () => openEmbeddedLog({ path, readOnly: true }),
    remove: async () => directory.remove(),
  }
})

/** The number of records of each process, and whether it opens the log again for each of them. */
const appendTogether = async (processes: Record<string, [count: number, reopen?: 'reopen']>) => {
  const directory = createTemporaryDirectory('shared-log')
  onTestFinished(directory.remove)
  const path = join(directory.path, 'log')
  const writer = import.meta.resolve('../support/log/shared-log-writer.ts')
  const children = Object.entries(processes).map(([name, options]) =>
    startChild(writer, [path, name, ...options.map(String)]),
  )
  await Promise.all(children.map((child) => child.line(({ done }) => done === true)))
  const log = await openEmbeddedLog({ path, shared: true })
  onTestFinished(() => log.close())
  const texts = (await readAll(log)).map(({ value }) => new TextDecoder().decode(value))
  const counts = Object.values(processes).map(([count]) => count)
  expect(texts).toHaveLength(counts.reduce((sum, count) => sum + count, 0))
  for (const [name, [count]] of Object.entries(processes)) {
    const own = texts.filter((text) => text.startsWith(name))
    expect(own).toEqual(Array.from({ length: count }, (_, at) => `${name} ${at}`))
  }
}

describe('a shared embedded log', () => {
  it('created by several processes at once keeps every record, also while they open and close it', async () => {
    await appendTogether({ a: [3_000], b: [100, 'reopen'], c: [100, 'reopen'] })
  })

  it('waits for a process that is frozen during a commit without blocking the event loop, and reads meanwhile', {
    tags: 'infra:no-loop-waits-for-a-lock',
  }, async () => {
    const directory = createTemporaryDirectory('shared-log')
    onTestFinished(directory.remove)
    const path = join(directory.path, 'log')
    const log = await openEmbeddedLog({ path, shared: true })
    onTestFinished(() => log.close())
    await log.append([createEntry(1, 'before')])
    const holder = startChild(import.meta.resolve('../support/log/lock-holder.ts'), [
      join(path, EMBEDDED_LOG_FILE),
    ])
    onTestFinished(() => holder.kill())
    await holder.line(({ locked }) => locked === true)
    holder.process.kill('SIGSTOP')
    let turns = 0
    const ticking = setInterval(() => turns++, 5)
    onTestFinished(() => clearInterval(ticking))
    let isAppended = false
    const appending = log.append([createEntry(1, 'after')]).then(() => {
      isAppended = true
    })
    for (let at = 0; at < 20; at++) {
      expect((await readAll(log)).map(decodeText)).toEqual(['before'])
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    expect([turns > 20, isAppended]).toEqual([true, false])
    await holder.kill()
    await appending
    expect((await readAll(log)).map(decodeText)).toEqual(['before', 'after'])
  })
})
