// Settings of the connection to Kafka; reports all mistakes at once. Reads no environment and no file itself.
import { Type } from 'typebox'
import { type Config, configInvalid, type Environment, readConfig } from '../runtime/config.ts'

/** This setting selects the log: Kafka if it is set, else the embedded log. An empty one is refused later. */
export const usesKafka = (env: Environment): boolean => env['KAFKA_BROKERS'] !== undefined

const HIGHEST_PORT = 65_535

const isBroker = (raw: string): boolean => {
  const found = /^[\w.-]+:(\d+)$/.exec(raw)
  const port = Number(found?.[1])
  return found !== null && port >= 1 && port <= HIGHEST_PORT
}

const file = (env: string, description: string) =>
  Type.Optional(Type.String({ env, description, refusesEmpty: true }))

export const kafkaSettings = Type.Object({
  brokers: Type.Array(Type.Refine(Type.String(), isBroker), {
    env: 'KAFKA_BROKERS',
    minItems: 1,
    refusesEmpty: true,
    expected: 'one or more of host:port, separated by commas',
    description: 'Kafka bootstrap brokers, e.g. kafka-1:9092,kafka-2:9092',
  }),
  clientId: Type.String({
    env: 'KAFKA_CLIENT_ID',
    default: 'rollcall',
    description: 'Client ID in the logs and quotas of the brokers',
  }),
  replicationFactor: Type.Optional(
    Type.Integer({
      env: 'KAFKA_REPLICATION_FACTOR',
      minimum: 1,
      maximum: 9,
      description:
        'Replicas of a created topic; by default 3, or the number of brokers if there are fewer',
    }),
  ),
  tls: Type.Boolean({
    env: 'KAFKA_TLS',
    default: false,
    refusesEmpty: true,
    description: 'Use TLS to the brokers',
  }),
  tlsCaFile: file('KAFKA_TLS_CA_FILE', 'PEM file of the CA of the broker certificates'),
  tlsCertFile: file('KAFKA_TLS_CERT_FILE', 'PEM file of the client certificate'),
  tlsKeyFile: file('KAFKA_TLS_KEY_FILE', 'PEM file of the key of the client certificate'),
  saslMechanism: Type.Optional(
    Type.Enum(['plain', 'scram-sha-256', 'scram-sha-512'], {
      env: 'KAFKA_SASL_MECHANISM',
      refusesEmpty: true,
      description:
        'SASL mechanism; by default none. plain sends the password unencrypted: use it only with KAFKA_TLS',
    }),
  ),
  saslUsername: Type.Optional(
    Type.String({ env: 'KAFKA_SASL_USERNAME', refusesEmpty: true, description: 'SASL user name' }),
  ),
  saslPassword: Type.Optional(
    Type.String({ env: 'KAFKA_SASL_PASSWORD', secret: true, description: 'SASL password' }),
  ),
})

export type KafkaConfig = Config<typeof kafkaSettings>

/** Settings that must be combined. */
const findContradictions = (config: KafkaConfig): string[] => {
  const { tls, tlsCaFile, tlsCertFile, tlsKeyFile } = config
  const { saslMechanism, saslUsername, saslPassword } = config
  const problems: string[] = []
  const hasFiles = [tlsCaFile, tlsCertFile, tlsKeyFile].some((file) => file !== undefined)
  if (hasFiles && !tls) problems.push('KAFKA_TLS_…_FILE is set, but KAFKA_TLS is not true')
  if ((tlsCertFile === undefined) !== (tlsKeyFile === undefined)) {
    problems.push('KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE belong together')
  }
  const hasLogin = [saslUsername, saslPassword].map((part) => part !== undefined)
  if (saslMechanism !== undefined && !hasLogin.every(Boolean)) {
    problems.push('KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD')
  }
  if (saslMechanism === undefined && hasLogin.some(Boolean)) {
    problems.push('KAFKA_SASL_USERNAME or KAFKA_SASL_PASSWORD is set, but no KAFKA_SASL_MECHANISM')
  }
  return problems
}

export const readKafkaConfig = (env: Environment): KafkaConfig => {
  const config = readConfig(kafkaSettings, env)
  const problems = findContradictions(config)
  if (problems.length > 0) throw configInvalid(problems)
  return config
}
