// A followed replay of a log with gaps in its offsets, as Kafka has them.
import { expect, it } from 'vitest'
import type { Output } from '../../../../../../infra/app/tools/log/lines.ts'
import { replayLog } from '../../../../../../infra/app/tools/log/move-log.ts'
import { createEntry } from '../../../../../support/log/log-entries.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../../../support/log/memory-log.ts'

it('writes each record once while it follows the log', async () => {
  const storage = createMemoryLogStorage()
  const add = (height: number) => {
    storage.records.push({
      ...createEntry(height, `{"height":${height}}`),
      offset: BigInt(2 * height),
    })
    for (const wake of [...storage.wake]) wake()
  }
  for (const height of [1, 2, 3]) add(height)
  const written: string[] = []
  const output: Output = async (chunks) => {
    for await (const chunk of chunks) written.push(new TextDecoder().decode(chunk))
    return true
  }
  const log = openMemoryLog(storage)
  const { signal } = new AbortController()
  const waitFor = log.waitFor
  log.waitFor = (from, options) => {
    if (storage.records.length < 5) setImmediate(() => add(storage.records.length + 1))
    return waitFor(from, options)
  }
  const { events } = await replayLog({ log, from: 1, to: 5, output, signal, follow: true })
  expect(events).toBe(5)
  const lines = written.join('').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).height)).toEqual([1, 2, 3, 4, 5])
})
