// Tests of an embedded log that several processes append to: the common contract, and no loss.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { describeAppender } from '../contracts/appender.ts'
import { readAll } from '../support/log/log-entries.ts'
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

const WRITERS = ['a', 'b', 'c']
const EACH = 200

describe('a shared embedded log', () => {
  it('created by several processes at once keeps every record, in the order of each process', async () => {
    const directory = createTemporaryDirectory('shared-log')
    onTestFinished(directory.remove)
    const path = join(directory.path, 'log')
    const children = WRITERS.map((name) =>
      startChild(new URL('../support/log/shared-log-writer.ts', import.meta.url), [
        path,
        name,
        String(EACH),
      ]),
    )
    await Promise.all(children.map((child) => child.line(({ done }) => done === true)))
    const log = await openEmbeddedLog({ path, shared: true })
    onTestFinished(() => log.close())
    const texts = (await readAll(log)).map(({ value }) => new TextDecoder().decode(value))
    expect(texts).toHaveLength(WRITERS.length * EACH)
    for (const name of WRITERS) {
      const own = texts.filter((text) => text.startsWith(name))
      expect(own).toEqual(Array.from({ length: EACH }, (_, at) => `${name} ${at}`))
    }
  })
})
