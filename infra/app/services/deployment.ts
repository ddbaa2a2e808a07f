// Settings that the services of one deployment share: chain, brokers and leadership.
import { createKafkaLeadership } from '../../base/log/kafka-leadership.ts'
import { type KafkaConfig, readKafkaConfig } from '../../base/log/kafka-settings.ts'
import type { Leadership } from '../../base/log/leadership.ts'
import { type Environment, readConfig, text } from '../../base/runtime/config.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { readTogether } from '../supervisor/read-together.ts'

const chainSettings = {
  chainId: text('CHAIN_ID', {
    description: 'Chain ID of this deployment, part of the topic name in Kafka',
  }),
} as const

export type Deployment = { settings: KafkaConfig; chainId: string }

export const readDeployment = (env: Environment): Deployment => {
  const { settings, chain } = readTogether({
    settings: () => readKafkaConfig(env),
    chain: () => readConfig(chainSettings, env),
  })
  return { settings, chainId: chain.chainId }
}

/** One process of each service leads. */
export const createLeadership = (
  service: 'ingest' | 'projections',
  deployment: Deployment,
  logger: Logger,
): Leadership =>
  createKafkaLeadership({
    ...deployment,
    groupId: `rollcall-${service}-${deployment.chainId}`,
    logger,
  })
