// Undecodable records are also on a separate topic, once, also with several projections and rebuilds.
import { expect, inject, it, onTestFinished } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { openKafkaLog } from '../../infra/base/log/kafka-log.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { kafkaConfig, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { generateStory } from '../support/log/governance-story.ts'
import { decodeText, readAll } from '../support/log/log-entries.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'

const chainId = ownChainId()
const settings = kafkaConfig(inject('kafkaBrokers'))

const openLetters = async (): Promise<EventLog> => {
  const common = { settings, chainId, subject: 'dead-letters', logger: silentLogger() } as const
  const log = await openKafkaLog(common)
  onTestFinished(() => log.close())
  return log
}

it('a dead letter is on its topic once, also after the tables were lost and rebuilt', async () => {
  const story = generateStory({ seed: 5, heights: 60 })
  const poisoned = story.flat().filter(({ type }) => type === 'rollcall.vote.cast.v1')[20]
  const log = openMemoryLog()
  for (const height of story) {
    await log.append(
      height.map((event) => {
        const entry = toLogEntry(event)
        return event === poisoned ? { ...entry, value: Buffer.from('{"not":"an event"}') } : entry
      }),
    )
  }
  for (const _run of [1, 2]) {
    const deadLetterLog = await openLetters()
    await projectAll(log, createMemoryStore(), {}, { deadLetterLog })
    const kept = (await readAll(deadLetterLog)).map((record) => JSON.parse(decodeText(record)))
    const unreadable = kept.filter(({ value }) => String(value).includes('an event'))
    expect(unreadable).toHaveLength(1)
    expect(unreadable[0]).toMatchObject({ height: String(poisoned?.height), generation: 1 })
    expect(new Set(kept.map(({ offset }) => offset)).size).toBe(kept.length)
  }
})
