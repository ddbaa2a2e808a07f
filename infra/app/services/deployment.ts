// Settings that the services of one deployment share: chain and brokers.
import { Type } from 'typebox'
import { type KafkaConfig, readKafkaConfig } from '../../base/log/kafka-settings.ts'
import { type Environment, readConfig } from '../../base/runtime/config.ts'
import { readTogether } from '../read-together.ts'

const chainSettings = Type.Object({
  chainId: Type.String({
    env: 'CHAIN_ID',
    description: 'Chain ID of this deployment, part of the topic name in Kafka',
  }),
})

export type Deployment = { settings: KafkaConfig; chainId: string }

export const readDeployment = (env: Environment): Deployment => {
  const { settings, chain } = readTogether({
    settings: () => readKafkaConfig(env),
    chain: () => readConfig(chainSettings, env),
  })
  return { settings, chainId: chain.chainId }
}
