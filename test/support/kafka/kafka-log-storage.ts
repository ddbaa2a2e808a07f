// Creates a log on Kafka for one test, under a chain id that no other test uses.
import { randomUUID } from 'node:crypto'
import {
  type KafkaSharedLog,
  openKafkaLog,
  openKafkaSharedLog,
} from '../../../infra/base/log/kafka-log.ts'
import { type KafkaConfig, readKafkaConfig } from '../../../infra/base/log/kafka-settings.ts'
import type { LogStorage } from '../../contracts/log.ts'
import { silentLogger } from '../process/log-lines.ts'

export const kafkaConfig = (brokers: string): KafkaConfig =>
  readKafkaConfig({ KAFKA_BROKERS: brokers })

export const ownChainId = (): string => `test-${randomUUID().slice(0, 8)}`

export const createKafkaLogStorage = (brokers: string): LogStorage & { chainId: string } => {
  const chainId = ownChainId()
  const common = { settings: kafkaConfig(brokers), chainId, logger: silentLogger() }
  return {
    chainId,
    open: () => openKafkaLog(common),
    openReader: () => openKafkaLog({ ...common, readOnly: true }),
    remove: async () => {},
  }
}

/** The log of agents of a chain, as another process opens it. */
export const openAgentsTopic = (
  brokers: string,
  chainId: string,
  { readOnly = false } = {},
): KafkaSharedLog =>
  openKafkaSharedLog({
    settings: kafkaConfig(brokers),
    chainId,
    subject: 'agents',
    readOnly,
    logger: silentLogger(),
  })
