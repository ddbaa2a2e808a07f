// What a kill, or a log that does not say whether it wrote, leaves behind: the same log as no trouble at all.
import { describe, expect, it } from 'vitest'
import type { EventLog, LogEntry } from '../../../infra/log/event-log.ts'
import { AppError } from '../../../infra/runtime/errors.ts'
import { tellGovStory } from '../../support/gov-story.ts'
import { bytesOf, ingestToTip } from '../../support/ingest-run.ts'
import { createMemoryLogPlace, openMemoryLog } from '../../support/memory-log.ts'

/** Fails, as a killed process would, at one append: before it, or after it was written. */
const killedAt = (inner: EventLog, append: number, isWritten: boolean): EventLog => {
  let count = 0
  const dead = () => Promise.reject(new AppError('LOG_FENCED', 'killed'))
  return {
    ...inner,
    append: async (entries: readonly LogEntry[]) => {
      count += 1
      if (count < append) return await inner.append(entries)
      if (count === append && isWritten) await inner.append(entries)
      return await dead()
    },
  }
}

describe('a kill between two appends', () => {
  it.each([1, 2, 3, 5, 8])('at append %i leaves the same log as no kill', async (append) => {
    const env = { BACKFILL_BATCH_HEIGHTS: '2' }
    const chain = tellGovStory()
    const undisturbed = openMemoryLog()
    await ingestToTip(chain, undisturbed, { env })
    for (const isWritten of [false, true]) {
      const place = createMemoryLogPlace()
      const killed = killedAt(openMemoryLog(place), append, isWritten)
      await ingestToTip(chain, killed, { env }).catch(() => undefined)
      const resumed = openMemoryLog(place)
      await ingestToTip(chain, resumed, { env })
      expect(await bytesOf(resumed)).toEqual(await bytesOf(undisturbed))
    }
  })

  it('survives a log that does not say whether it wrote', async () => {
    const chain = tellGovStory()
    const inner = openMemoryLog()
    let count = 0
    const unsure: EventLog = {
      ...inner,
      append: async (entries) => {
        count += 1
        if (count === 2) throw new AppError('LOG_UNAVAILABLE', 'lost before', { retryable: true })
        const end = await inner.append(entries)
        if (count === 4) throw new AppError('LOG_UNAVAILABLE', 'lost after', { retryable: true })
        return end
      },
    }
    const env = { BACKFILL_BATCH_HEIGHTS: '4' }
    const events = await ingestToTip(chain, unsure, { env })
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    const undisturbed = openMemoryLog()
    await ingestToTip(chain, undisturbed, { env })
    expect(await bytesOf(inner)).toEqual(await bytesOf(undisturbed))
  })
})
