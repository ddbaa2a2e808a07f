// Tests of which Kafka topics can store a log, and of the errors for the others.
import { expect, it } from 'vitest'
import { readKafkaConfig } from '../../../../../infra/base/log/kafka-settings.ts'
import { topicProblem, toTopicName } from '../../../../../infra/base/log/kafka-topic.ts'

const config = readKafkaConfig({ KAFKA_BROKERS: 'a:9092,b:9092' })
const KEEPS_ALL = {
  'cleanup.policy': 'delete',
  'retention.ms': '-1',
  'retention.bytes': '-1',
  'max.message.bytes': '16777216',
  'message.timestamp.type': 'CreateTime',
}
const problem = (settings: Record<string, string>, partitions = 1) =>
  topicProblem('t', { partitions, settings: { ...KEEPS_ALL, ...settings } }, config)

it('accepts a topic that keeps every event, also one with a larger record limit than needed', () => {
  expect(problem({})).toBeUndefined()
  expect(problem({ 'max.message.bytes': '33554432' })).toBeUndefined()
})

it.each([
  ['cleanup.policy', 'compact', 'delete'],
  ['cleanup.policy', 'compact,delete', 'delete'],
  ['retention.ms', '604800000', '-1'],
  ['retention.bytes', '1073741824', '-1'],
  ['max.message.bytes', '1048588', '16777216'],
  ['message.timestamp.type', 'LogAppendTime', 'CreateTime'],
])('refuses %s=%s, with the command that fixes it', (name, value, right) => {
  expect(problem({ [name]: value })).toBe(
    `topic t would not keep every event unchanged: ${name} is ${value}. Fix it with\n  kafka-configs.sh --bootstrap-server a:9092,b:9092 --alter --entity-type topics --entity-name t --add-config ${name}=${right}`,
  )
})

it('fixes all wrong settings with one command', () => {
  expect(problem({ 'cleanup.policy': 'compact', 'retention.ms': '1' })).toMatch(
    /--add-config cleanup\.policy=delete,retention\.ms=-1$/,
  )
})

it('refuses a topic with several partitions, because its events have no order', () => {
  expect(problem({}, 3)).toMatch(/3 partitions.*kafka-topics\.sh .* --delete --topic t$/s)
})

it('names the topic after the chain, and refuses a chain ID that is not valid in a topic name', () => {
  expect(toTopicName('governance', 'cosmoshub-4')).toBe('rollcall.governance.cosmoshub-4')
  expect(() => toTopicName('governance', 'a chain')).toThrow(/CHAIN_ID/)
})
