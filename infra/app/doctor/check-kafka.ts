// What Kafka says of the logs in it, for `rollcall doctor`: its brokers, the topics' settings, and how many copies are whole.

import type { KafkaConfig } from '../../log/kafka-settings.ts'
import { inspectTopic, type TopicState, topicOf } from '../../log/kafka-topic.ts'
import type { Logger } from '../../runtime/logger.ts'
import { type Finding, findingsOf } from './finding.ts'

const SAFE_REPLICAS = 3

/** Pure. */
export const findingsOfTopic = (
  topic: string,
  { brokers, partitions, replicas, inSync, problem }: TopicState,
): Finding[] => {
  const { ok, warning, problem: wrong } = findingsOf('kafka')
  const reached = ok(`${brokers} broker(s) answer`)
  if (partitions === 0) {
    return [
      reached,
      wrong(`there is no topic ${topic}`, 'start "rollcall ingest": it creates the topic'),
    ]
  }
  const findings = [reached]
  if (problem !== undefined) {
    const [what = problem, ...mend] = problem.split('\n')
    findings.push(wrong(what, mend.join('\n').trim() || 'see the message'))
  } else findings.push(ok(`topic ${topic} keeps every event, in one order`))
  if (inSync < replicas) {
    const mend = 'bring the broker that is away back: the copies catch up by themselves'
    findings.push(warning(`${inSync} of ${replicas} copies are whole`, mend))
  } else if (replicas < SAFE_REPLICAS) {
    const mend = `with ${SAFE_REPLICAS} brokers and as many copies, one may be lost without loss`
    findings.push(warning(`there is no more than ${replicas} copy of the topic`, mend))
  } else findings.push(ok(`${replicas} copies, all whole`))
  return findings
}

/** The log of agents is there only where agents may register. Pure. */
export const findingsOfAgentsTopic = (topic: string, state: TopicState): Finding[] => {
  if (state.partitions > 0) return findingsOfTopic(topic, state).slice(1)
  const says = `there is no topic ${topic}: no "rollcall auth" has run yet`
  return [findingsOf('kafka').notChecked(says)]
}

export type KafkaDiagnosisOptions = { config: KafkaConfig; chainId: string; logger: Logger }

export const diagnoseKafka =
  ({ config, chainId, logger }: KafkaDiagnosisOptions) =>
  async (signal: AbortSignal): Promise<readonly Finding[]> => {
    const inspect = (topic: string) => inspectTopic(topic, { config, logger, signal })
    const topic = topicOf('governance', chainId)
    const agents = topicOf('agents', chainId)
    const found = findingsOfTopic(topic, await inspect(topic))
    return [...found, ...findingsOfAgentsTopic(agents, await inspect(agents))]
  }
