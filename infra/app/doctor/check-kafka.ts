// Checks Kafka for `rollcall doctor`: brokers, settings of the topics, and in-sync replicas.

import type { KafkaConfig } from '../../base/log/kafka-settings.ts'
import { inspectTopic, type TopicState, toTopicName } from '../../base/log/kafka-topic.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { createAreaFindings, type Finding } from './finding.ts'

const SAFE_REPLICAS = 3

/** Pure. */
export const diagnoseTopic = (
  topic: string,
  { brokers, partitions, replicas, inSync, problem }: TopicState,
): Finding[] => {
  const { ok, warning, problem: wrong } = createAreaFindings('kafka')
  const reached = ok(`${brokers} broker(s) answer`)
  if (partitions === 0) {
    return [
      reached,
      wrong(`topic ${topic} does not exist`, 'start "rollcall ingest", which creates the topic'),
    ]
  }
  const findings = [reached]
  if (problem !== undefined) {
    const [what = problem, ...remedy] = problem.split('\n')
    findings.push(wrong(what, remedy.join('\n').trim() || 'see the message'))
  } else findings.push(ok(`topic ${topic} keeps all events in order`))
  if (inSync < replicas) {
    const remedy = 'restart the missing broker; its replicas catch up automatically'
    findings.push(warning(`${inSync} of ${replicas} replicas are in sync`, remedy))
  } else if (replicas < SAFE_REPLICAS) {
    const remedy = `use ${SAFE_REPLICAS} brokers and replicas: then one can fail without loss`
    findings.push(
      warning(`the topic has only ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`, remedy),
    )
  } else findings.push(ok(`all ${replicas} replicas are in sync`))
  return findings
}

/** The log of agents exists only if agents may register. Pure. */
export const diagnoseAgentsTopic = (topic: string, state: TopicState): Finding[] => {
  if (state.partitions > 0) return diagnoseTopic(topic, state).slice(1)
  const message = `topic ${topic} does not exist: "rollcall auth" has not run yet`
  return [createAreaFindings('kafka').notChecked(message)]
}

export type KafkaDiagnosisOptions = { config: KafkaConfig; chainId: string; logger: Logger }

export const diagnoseKafka =
  ({ config, chainId, logger }: KafkaDiagnosisOptions) =>
  async (signal: AbortSignal): Promise<readonly Finding[]> => {
    const inspect = (topic: string) => inspectTopic(topic, { config, logger, signal })
    const topic = toTopicName('governance', chainId)
    const agents = toTopicName('agents', chainId)
    const found = diagnoseTopic(topic, await inspect(topic))
    return [...found, ...diagnoseAgentsTopic(agents, await inspect(agents))]
  }
