// The topic of a log: created to keep every record permanently, and refused if it would not.
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { policies } from '../runtime/policies.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import { MAX_ENTRY_BYTES } from './event-log.ts'
import {
  type Admin,
  connectKafka,
  isAbsentTopic,
  logError,
  openAdmin,
  TOPIC_RESOURCE,
} from './kafka-client.ts'
import type { KafkaConfig } from './kafka-settings.ts'

/** Maximum size of a batch: `MAX_ENTRY_BYTES` and the overhead of Kafka. */
const MAX_MESSAGE_BYTES = MAX_ENTRY_BYTES + 2 ** 20
const USUAL_REPLICAS = 3
const CALL_MS = 20_000
const LONGEST_NAME = 249

/** Without one of these settings, records or their times are lost. */
const KEEPS_ALL: Record<string, string> = {
  'cleanup.policy': 'delete',
  'retention.ms': '-1',
  'retention.bytes': '-1',
  'max.message.bytes': String(MAX_MESSAGE_BYTES),
  'message.timestamp.type': 'CreateTime',
}

/** Disables a setting in milliseconds. */
const NEVER = String(2n ** 63n - 1n)

/** Logs with any number of writers: the log of agents. */
export type SharedSubject = 'agents'

export const toTopicName = (subject: 'governance' | SharedSubject, chainId: string): string => {
  const topic = `rollcall.${subject}.${chainId}`
  if (/^[\w.-]+$/.test(topic) && topic.length <= LONGEST_NAME) return topic
  const message = `CHAIN_ID: ${chainId} cannot be part of a Kafka topic's name`
  throw new AppError('CONFIG_INVALID', message, { expose: true })
}

const fits = (name: string, value: string): boolean =>
  name === 'max.message.bytes' ? Number(value) >= MAX_MESSAGE_BYTES : value === KEEPS_ALL[name]

const toolOptions = ({ brokers, tls, saslMechanism }: KafkaConfig): string => {
  const login = tls || saslMechanism !== undefined ? ' --command-config client.properties' : ''
  return `--bootstrap-server ${brokers.join(',')}${login}`
}

/** How a topic differs from one that keeps everything; `fix` is a command. */
export type TopicProblem = { what: string; fix: string }

const findProblem = (
  topic: string,
  found: { partitions: number; settings: readonly (readonly [string, string])[] },
  config: KafkaConfig,
): TopicProblem | undefined => {
  const options = toolOptions(config)
  if (found.partitions !== 1) {
    return {
      what: `topic ${topic} has ${found.partitions} partitions, so its events have no order, and Kafka cannot remove partitions. Save its content; Rollcall creates the topic again after`,
      fix: `kafka-topics.sh ${options} --delete --topic ${topic}`,
    }
  }
  const wrong = found.settings.filter(([name, value]) => !fits(name, value))
  if (wrong.length === 0) return undefined
  const actual = wrong.map(([name, value]) => `${name} is ${value}`).join(', ')
  const corrected = wrong.map(([name]) => `${name}=${KEEPS_ALL[name]}`).join(',')
  return {
    what: `topic ${topic} would not keep every event unchanged: ${actual}. Fix it with`,
    fix: `kafka-configs.sh ${options} --alter --entity-type topics --entity-name ${topic} --add-config ${corrected}`,
  }
}

export type TopicOptions = { config: KafkaConfig; logger: Logger; signal: AbortSignal }

export type TopicState = {
  /** Number of live brokers in the cluster. */
  brokers: number
  /** 0 if the topic does not exist. */
  partitions: number
  /** Replicas of the partition, and its in-sync replicas. */
  replicas: number
  inSync: number
  /** The reason for which `ensureTopic` would refuse the topic. */
  problem: TopicProblem | undefined
}

const withAdmin = <T>(
  { config, signal }: TopicOptions,
  what: string,
  use: (admin: Admin) => Promise<T>,
): Promise<T> => {
  const once = async () => {
    const { kafka, destroy } = connectKafka(config)
    try {
      return await withDeadline(CALL_MS, signal, async () => use(await openAdmin(kafka)))
    } catch (error) {
      throw logError(error, what)
    } finally {
      destroy()
    }
  }
  return retry(once, { ...policies.kafkaTopic, signal })
}

const readTopicState = async (
  admin: Admin,
  topic: string,
  config: KafkaConfig,
): Promise<TopicState> => {
  const { brokers } = await admin.describeCluster()
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] }).catch((error: unknown) => {
    if (isAbsentTopic(error)) return { topics: [] }
    throw error
  })
  const [partition, ...more] = topics[0]?.partitions ?? []
  const state = { brokers: brokers.length, partitions: 0, replicas: 0, inSync: 0 }
  if (!partition) return { ...state, problem: undefined }
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: TOPIC_RESOURCE, name: topic, configNames: Object.keys(KEEPS_ALL) }],
  })
  const settings = (resources[0]?.configEntries ?? []).map(
    ({ configName, configValue }) => [configName, configValue] as const,
  )
  return {
    ...state,
    partitions: 1 + more.length,
    replicas: partition.replicas.length,
    inSync: partition.isr.length,
    problem: findProblem(topic, { partitions: 1 + more.length, settings }, config),
  }
}

const create = async (admin: Admin, topic: string, replicas: number): Promise<void> => {
  const settings = {
    ...KEEPS_ALL,
    // The clock of a broker may be behind the block times.
    'message.timestamp.after.max.ms': NEVER,
    // Records have block times, and markers have broker times: the difference would start a new segment again and again.
    'segment.ms': NEVER,
    'unclean.leader.election.enable': 'false',
    // Acknowledged records survive the loss of a broker, and one broker may be unavailable.
    'min.insync.replicas': String(Math.max(1, replicas - 1)),
  }
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
  const created = { topic, numPartitions: 1, replicationFactor: replicas, configEntries }
  await admin.createTopics({ waitForLeaders: true, topics: [created] })
}

/** Reads the state of the topic without a change. */
export const inspectTopic = (topic: string, options: TopicOptions): Promise<TopicState> =>
  withAdmin(options, `look at topic ${topic}`, (admin) =>
    readTopicState(admin, topic, options.config),
  )

/** Creates the topic if it is absent. Throws `CONFIG_INVALID` if it would lose or reorder events. */
export const ensureTopic = (topic: string, options: TopicOptions): Promise<void> =>
  withAdmin(options, `prepare topic ${topic}`, async (admin) => {
    const { config, logger } = options
    let state = await readTopicState(admin, topic, config)
    if (state.partitions === 0) {
      const usual = Math.max(1, Math.min(USUAL_REPLICAS, state.brokers))
      const replicas = config.replicationFactor ?? usual
      await create(admin, topic, replicas)
      logger.info({ topic, replicas }, 'created a topic')
      state = await readTopicState(admin, topic, config)
      if (state.partitions === 0) throw new Error('not every broker knows the new topic yet')
    }
    if (!state.problem) return
    const { what, fix } = state.problem
    throw new AppError('CONFIG_INVALID', `${what}\n  ${fix}`, { expose: true })
  })
