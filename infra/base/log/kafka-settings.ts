// Settings of the connection to Kafka; reports all mistakes at once. Reads no environment and no file itself.
import {
  configInvalid,
  custom,
  type Environment,
  flag,
  integer,
  oneOf,
  type Parsed,
  readConfig,
  text,
} from '../runtime/config.ts'

/** This setting selects the log: Kafka if it is set, else the embedded log. An empty one is refused later. */
export const usesKafka = (env: Environment): boolean => env['KAFKA_BROKERS'] !== undefined

const HIGHEST_PORT = 65_535

const isBroker = (raw: string): boolean => {
  const found = /^[\w.-]+:(\d+)$/.exec(raw)
  const port = Number(found?.[1])
  return found !== null && port >= 1 && port <= HIGHEST_PORT
}

const parseBrokers = (raw: string): Parsed<readonly string[]> => {
  const value = raw.split(/[\s,]+/).filter((part) => part !== '')
  return value.length > 0 && value.every(isBroker)
    ? { ok: true, value }
    : { ok: false, expected: 'one or more of host:port, separated by commas' }
}

export const kafkaSettings = {
  brokers: custom('KAFKA_BROKERS', parseBrokers, {
    refusesEmpty: true,
    description: 'Kafka bootstrap brokers, e.g. kafka-1:9092,kafka-2:9092',
  }),
  clientId: text('KAFKA_CLIENT_ID', {
    default: 'rollcall',
    description: 'Client ID in the logs and quotas of the brokers',
  }),
  replicationFactor: integer('KAFKA_REPLICATION_FACTOR', {
    optional: true,
    min: 1,
    max: 9,
    description:
      'Replicas of a created topic; by default 3, or the number of brokers if there are fewer',
  }),
  tls: flag('KAFKA_TLS', {
    default: false,
    refusesEmpty: true,
    description: 'Use TLS to the brokers',
  }),
  tlsCaFile: text('KAFKA_TLS_CA_FILE', {
    optional: true,
    refusesEmpty: true,
    description: 'PEM file of the CA of the broker certificates',
  }),
  tlsCertFile: text('KAFKA_TLS_CERT_FILE', {
    optional: true,
    refusesEmpty: true,
    description: 'PEM file of the client certificate',
  }),
  tlsKeyFile: text('KAFKA_TLS_KEY_FILE', {
    optional: true,
    refusesEmpty: true,
    description: 'PEM file of the key of the client certificate',
  }),
  saslMechanism: oneOf('KAFKA_SASL_MECHANISM', ['plain', 'scram-sha-256', 'scram-sha-512'], {
    optional: true,
    refusesEmpty: true,
    description:
      'SASL mechanism; by default none. plain sends the password unencrypted: use it only with KAFKA_TLS',
  }),
  saslUsername: text('KAFKA_SASL_USERNAME', {
    optional: true,
    refusesEmpty: true,
    description: 'SASL user name',
  }),
  saslPassword: text('KAFKA_SASL_PASSWORD', {
    optional: true,
    secret: true,
    description: 'SASL password',
  }),
} as const

const read = (env: Environment) => readConfig(kafkaSettings, env)
export type KafkaConfig = ReturnType<typeof read>

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
  const config = read(env)
  const problems = findContradictions(config)
  if (problems.length > 0) throw configInvalid(problems)
  return config
}
