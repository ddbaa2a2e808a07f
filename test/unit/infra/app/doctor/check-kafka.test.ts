// Tests of the findings about the Kafka topic and of their remedies.
import { expect, it } from 'vitest'
import { diagnoseTopic } from '../../../../../infra/app/doctor/check-kafka.ts'
import type { TopicState } from '../../../../../infra/log/kafka-topic.ts'

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

it('a correct topic has no problems', () => {
  expect(readLevels({})).toEqual(['ok', 'ok', 'ok'])
})

it('a topic that loses events is a problem, and its remedy is a command', () => {
  const problem = `topic ${TOPIC} would not keep every event\n  kafka-configs.sh --alter`
  const findings = diagnoseTopic(TOPIC, { ...sound, problem })
  expect(findings[1]).toMatchObject({ level: 'problem', remedy: 'kafka-configs.sh --alter' })
})

it.each([
  ['no topic', { partitions: 0 }, ['ok', 'problem']],
  ['a replica that is behind', { inSync: 2 }, ['ok', 'ok', 'warning']],
  ['one replica', { replicas: 1, inSync: 1 }, ['ok', 'ok', 'warning']],
])('%s is reported', (_, state, levels) => {
  expect(readLevels(state)).toEqual(levels)
})
