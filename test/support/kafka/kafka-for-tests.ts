// Provides a real Kafka for tests: the configured one, else a container, else local processes.
import { KafkaContainer } from '@testcontainers/kafka'
import { findFreePorts } from '../../devnet/ports.ts'
import { checkContainerEngine, toReason } from '../process/container-engine.ts'
import { startLocalKafka } from './local-broker.ts'

export type KafkaForTests = {
  /** The value of KAFKA_BROKERS. */
  brokers: string
  /** Its source as text. */
  source: string
  stop(): Promise<void>
}

const IMAGE = process.env['KAFKA_IMAGE'] ?? 'confluentinc/cp-kafka:8.1.0'
/** The client port of the image. */
const CLIENT_PORT = 9093

/** As small as the local one; on one broker transactions finish only with a factor of 1. */
const ENVIRONMENT = {
  KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
  KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS: '4',
  KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
  KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
}

const startContainer = async (): Promise<KafkaForTests> => {
  // A fixed port: the advertised address of the broker stays valid after a restart.
  const [port = 0] = await findFreePorts(1)
  const container = await new KafkaContainer(IMAGE)
    .withEnvironment(ENVIRONMENT)
    .withExposedPorts({ container: CLIENT_PORT, host: port })
    .start()
  return {
    brokers: `${container.getHost()}:${container.getMappedPort(CLIENT_PORT)}`,
    source: `a container of ${IMAGE}`,
    stop: async () => {
      await container.stop()
    },
  }
}

/** Reports the selected source to `progress`, with the reasons why it skipped others. */
export const kafkaForTests = async (
  progress: (line: string) => void = (line) => console.log(line),
): Promise<KafkaForTests> => {
  const given = process.env['KAFKA_BROKERS']?.trim()
  if (given) {
    progress(`Kafka: KAFKA_BROKERS=${given}`)
    return { brokers: given, source: 'KAFKA_BROKERS', stop: async () => {} }
  }
  const problem = await checkContainerEngine()
  if (problem === undefined) {
    try {
      const started = await startContainer()
      progress(`Kafka: ${started.source}`)
      return started
    } catch (error) {
      progress(`no container of ${IMAGE}: ${toReason(error)}`)
    }
  } else {
    progress(`no container engine: ${problem}`)
  }
  const local = await startLocalKafka({ progress })
  progress('Kafka: local processes')
  return { brokers: local.brokers, source: 'local processes', stop: local.stop }
}
