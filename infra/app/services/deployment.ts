// What the services of one deployment share: its chain, its brokers, and who of them leads.
import { createKafkaLeadership } from '../../log/kafka-leadership.ts'
import { type KafkaConfig, readKafkaConfig } from '../../log/kafka-settings.ts'
import type { Leadership } from '../../log/leadership.ts'
import { type Environment, readConfig, text } from '../../runtime/config.ts'
import type { Logger } from '../../runtime/logger.ts'
import { readTogether } from '../supervisor/read-together.ts'

const chainSettings = {
  chainId: text('CHAIN_ID', {
    description: 'The one chain of this deployment: it names the topic in Kafka',
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

/** Of each kind of service one process leads. */
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
