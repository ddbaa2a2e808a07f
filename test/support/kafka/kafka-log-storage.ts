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

export const kafkaConfig = (brokers: string, env: Record<string, string> = {}): KafkaConfig =>
  readKafkaConfig({ KAFKA_BROKERS: brokers, ...env })

export const ownChainId = (): string => `test-${randomUUID().slice(0, 8)}`

export type KafkaLogStorage = LogStorage & { chainId: string; settings: KafkaConfig }

export const createKafkaLogStorage = (brokers: string): KafkaLogStorage => {
  const settings = kafkaConfig(brokers)
  const chainId = ownChainId()
  const common = { settings, chainId, logger: silentLogger() }
  return {
    chainId,
    settings,
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
