// Tests the loop of the projections: commits, restarts and failures.
import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../../../infra/base/log/event-log.ts'
import { followLog, type LogPosition } from '../../../../projections/runner/follow-log.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'

type Batch = { texts: string[]; at: LogPosition }
type Fold = { applied: { text: string; keepsRows: boolean }[] }

const toText = ({ value }: LogRecord): string => Buffer.from(value).toString()

type Setup = {
  start?: LogPosition
  maxRecords?: number
  onApply?: (text: string) => void
  onWrite?: (batch: Batch) => Promise<void>
}

const setup = ({ start, maxRecords = 100, onApply, onWrite }: Setup) => {
  const log = openMemoryLog()
  const controller = new AbortController()
  const fold: Fold = { applied: [] }
  const written: Batch[] = []
  let incomplete: LogRecord[] = []
  let texts: string[] = []
  let nextOffset = 0n
  const append = (...values: string[]) =>
    log.append(values.map((text) => ({ height: 1, timeMs: 0, value: Buffer.from(text) })))
  const apply = async (records: readonly LogRecord[], keepsRows: boolean) => {
    incomplete.push(...records)
    const end = incomplete.findLastIndex((record) => toText(record).endsWith('.')) + 1
    const whole = incomplete.splice(0, end)
    for (const record of whole) {
      onApply?.(toText(record))
      fold.applied.push({ text: toText(record), keepsRows })
      texts.push(toText(record))
      nextOffset = record.offset + 1n
    }
    return whole.length
  }
  const follow = () =>
    followLog<Batch>({
      logName: 'the log of the test',
      log,
      start,
      apply,
      refolded: () => {
        texts = []
        incomplete = []
      },
      take: async () => ({ texts: texts.splice(0), at: { nextOffset, refoldOffset: 0n } }),
      write: async (batch) => {
        await onWrite?.(batch)
        written.push(batch)
      },
      limits: { maxRecords, maxBytes: 1_000_000 },
      signal: controller.signal,
    })
  /** Follows until this many batches are written. */
  const followUntil = async (batches: number) => {
    const followed = follow()
    followed.catch(() => {})
    await expect.poll(() => written.length).toBeGreaterThanOrEqual(batches)
    controller.abort()
    await followed
    return written.map((batch) => batch.texts)
  }
  return { append, follow, followUntil, written, fold, controller }
}

const untilStill = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('following a log', () => {
  it('commits whole heights and keeps a height without its marker for later', {
    tags: 'projections:whole-heights',
  }, async () => {
    const { append, followUntil, written } = setup({})
    await append('a', 'b.', 'c')
    expect(await followUntil(1)).toEqual([['a', 'b.']])
    expect(written[0]?.at.nextOffset).toBe(2n)
  })

  it('folds the next batch while one commit is in flight, and never starts a second commit', async () => {
    let finish = () => {}
    let running = 0
    let most = 0
    const onWrite = async () => {
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      running -= 1
    }
    const { append, follow, written, fold, controller } = setup({ maxRecords: 1, onWrite })
    await append('a.', 'b.', 'c.')
    const followed = follow()
    await expect.poll(() => fold.applied.map(({ text }) => text)).toEqual(['a.', 'b.'])
    await untilStill()
    expect(fold.applied).toHaveLength(2)
    expect(written).toEqual([])
    while (written.length < 3) {
      finish()
      await untilStill()
    }
    controller.abort()
    await followed
    expect(most).toBe(1)
  })
})
