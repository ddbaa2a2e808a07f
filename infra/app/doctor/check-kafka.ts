// Checks Kafka for `rollcall doctor`: brokers, settings of the topics, and in-sync replicas.
import type { KafkaConfig } from '../../base/log/kafka-settings.ts'
import { inspectTopic, type TopicState, toTopicName } from '../../base/log/kafka-topic.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { type Finding, notChecked, ok, problem, warning } from './finding.ts'

const SAFE_REPLICAS = 3

const replicasFinding = ({ replicas, inSync }: TopicState): Finding => {
  if (inSync < replicas) {
    const remedy = 'restart the missing broker; its replicas catch up automatically'
    return warning(`${inSync} of ${replicas} replicas are in sync`, remedy)
  }
  if (replicas >= SAFE_REPLICAS) return ok(`all ${replicas} replicas are in sync`)
  const remedy = `use ${SAFE_REPLICAS} brokers and replicas: then one can fail without loss`
  const only = `only ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`
  return warning(`the topic has ${only}`, remedy)
}

const settingsFinding = (topic: string, wrong: string | undefined): Finding => {
  if (wrong === undefined) return ok(`topic ${topic} keeps all events in order`)
  const [what = wrong, ...remedy] = wrong.split('\n')
  return problem(what, remedy.join('\n').trim() || 'see the message')
}

export async function checkKafka(
  config: KafkaConfig,
  chainId: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const check = async (kind: 'governance' | 'agents', absent: (topic: string) => Finding) => {
    const topic = toTopicName(kind, chainId)
    const state = await inspectTopic(topic, { config, logger, signal })
    const { partitions, problem: wrong, brokers } = state
    const findings =
      partitions === 0 ? [absent(topic)] : [settingsFinding(topic, wrong), replicasFinding(state)]
    return { brokers, findings }
  }
  const remedy = 'start "rollcall ingest", which creates the topic'
  const { brokers, findings } = await check('governance', (topic) =>
    problem(`topic ${topic} does not exist`, remedy),
  )
  // The log of agents exists only if agents may register.
  const agents = await check('agents', (topic) =>
    notChecked(`topic ${topic} does not exist: "rollcall auth" has not run yet`),
  )
  return [ok(`${brokers} broker(s) answer`), ...findings, ...agents.findings]
}
