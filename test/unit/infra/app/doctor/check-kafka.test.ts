// Findings about the topic, with their remedies.
import { expect, it } from 'vitest'
import { diagnoseTopic } from '../../../../../infra/app/doctor/check-kafka.ts'
import type { TopicState } from '../../../../../infra/base/log/kafka-topic.ts'

const sound: TopicState = {
  brokers: 3,
  partitions: 1,
  replicas: 3,
  inSync: 3,
  problem: undefined,
}
const TOPIC = 'rollcall.governance.test-1'

const readLevels = (state: Partial<TopicState>) =>
  diagnoseTopic(TOPIC, { ...sound, ...state }).map(({ level }) => level)

it('reports no problem for a correct topic', () => {
  expect(readLevels({})).toEqual(['ok', 'ok', 'ok'])
})

it('reports a topic that loses events, with the command that fixes it', () => {
  const problem = `topic ${TOPIC} would not keep every event\n  kafka-configs.sh --alter`
  const findings = diagnoseTopic(TOPIC, { ...sound, problem })
  expect(findings[1]).toMatchObject({ level: 'problem', remedy: 'kafka-configs.sh --alter' })
})

it.each([
  ['no topic', { partitions: 0 }, ['ok', 'problem']],
  ['a copy that is behind', { inSync: 2 }, ['ok', 'ok', 'warning']],
  ['one copy', { replicas: 1, inSync: 1 }, ['ok', 'ok', 'warning']],
])('reports %s', (_, state, levels) => {
  expect(readLevels(state)).toEqual(levels)
})
