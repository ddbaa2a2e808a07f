// Tests of an embedded log that several processes append to: no loss, no fencing, one order.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { readAll } from '../support/log/event-log-contract.ts'
import { startChild } from '../support/process/child.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const WRITERS = ['a', 'b', 'c']
const EACH = 200

describe('a shared log', () => {
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

  it('reports to a writer the offset of its own record, whatever other processes append', async () => {
    const directory = createTemporaryDirectory('shared-log')
    onTestFinished(directory.remove)
    const path = join(directory.path, 'log')
    const log = await openEmbeddedLog({ path, shared: true })
    onTestFinished(() => log.close())
    const [name, count] = ['x', '5']
    const child = startChild(new URL('../support/log/shared-log-writer.ts', import.meta.url), [
      path,
      name,
      count,
    ])
    await child.line(({ done }) => done === true)
    const value = new TextEncoder().encode('mine')
    const after = await log.append([{ height: 1, timeMs: 1, value }])
    const [record] = await log.read(after - 1n, { maxRecords: 1, maxBytes: 1 })
    expect(new TextDecoder().decode(record?.value)).toBe('mine')
    expect(await readAll(log)).toHaveLength(6)
  })
})
