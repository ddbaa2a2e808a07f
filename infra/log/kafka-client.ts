// The only importer of `kafkajs`: one connection to the brokers that can be given up at once and for good.
// Retries little by itself: who uses it throws it away after a failure and opens another.
import { readFileSync } from 'node:fs'
import { isIP, connect as openSocket, type Socket } from 'node:net'
import { connect as openTlsSocket, type ConnectionOptions as TlsOptions } from 'node:tls'
// A default import: Node does not see the names that this CommonJS module exports.
import kafkajs, {
  type Admin,
  type Cluster,
  type ISocketFactory,
  type Kafka,
  type LogEntry as KafkaLogEntry,
  type Message,
  type SASLOptions,
  type Transaction,
} from 'kafkajs'
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type KafkaAdmin = Admin
export type KafkaCluster = Cluster
export type KafkaMessage = Message
export type KafkaTransaction = Transaction
export type KafkaProducer = {
  connect(): Promise<void>
  transaction(): Promise<KafkaTransaction>
}

export const TOPIC_RESOURCE = kafkajs.ConfigResourceTypes.TOPIC
export const { MemberMetadata, MemberAssignment } = kafkajs.AssignerProtocol
const { logLevel } = kafkajs

export type KafkaConnection = {
  /** Not connected yet. Reads what is committed only. */
  cluster(): KafkaCluster
  admin(): KafkaAdmin
  producer(options: { transactionalId: string; transactionTimeoutMs: number }): KafkaProducer
  /** Ends every call under way, and refuses every further one. */
  destroy(): void
}

const CONNECT_MS = 3_000
const REQUEST_MS = 10_000
const KEEP_ALIVE_MS = 60_000
/** Only for what passes within moments; anything else is for the caller to try anew. */
const RETRY = { initialRetryTime: 50, maxRetryTime: 250, retries: 3 }
/**
 * A broker answers the end of a transaction before its markers are written, and refuses the next one
 * until then: that takes a few milliseconds, and so must each attempt.
 */
const TRANSACTION_RETRY = { initialRetryTime: 3, multiplier: 1.6, maxRetryTime: 100, retries: 20 }

const fileAt = (path: string, name: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `the configuration is not valid:\n  - ${name}: ${reason}`
    throw new AppError('CONFIG_INVALID', message, { expose: true, cause })
  }
}

/** Undefined: no TLS. Reads the files anew each time, so that a renewed certificate is taken. */
export const tlsOptionsOf = (config: KafkaConfig): TlsOptions | undefined => {
  const { tls, tlsCaFile, tlsCertFile, tlsKeyFile } = config
  if (!tls) return undefined
  return {
    ...(tlsCaFile ? { ca: fileAt(tlsCaFile, 'KAFKA_TLS_CA_FILE') } : {}),
    ...(tlsCertFile ? { cert: fileAt(tlsCertFile, 'KAFKA_TLS_CERT_FILE') } : {}),
    ...(tlsKeyFile ? { key: fileAt(tlsKeyFile, 'KAFKA_TLS_KEY_FILE') } : {}),
  }
}

/** Undefined: no login. */
export const saslOptionsOf = (config: KafkaConfig): SASLOptions | undefined => {
  const { saslMechanism: mechanism, saslUsername: username, saslPassword: password } = config
  if (mechanism === undefined || username === undefined || password === undefined) return undefined
  return { mechanism, username, password }
}

/** The library's own lines, lowered: what matters of them reaches its caller as an error. */
const logCreator = (logger: Logger) => () => (entry: KafkaLogEntry) => {
  const { message, error, broker, groupId } = entry.log
  const fields = { namespace: entry.namespace, said: message, error, broker, groupId }
  if (entry.level <= logLevel.WARN) logger.debug(fields, 'heard from the Kafka client')
  else logger.trace(fields, 'heard from the Kafka client')
}

type Sockets = { open: ISocketFactory; destroy(): void }

const createSockets = (): Sockets => {
  const sockets = new Set<Socket>()
  let isDestroyed = false
  const given = () => new Error('the connection was given up')
  return {
    open: ({ host, port, ssl, onConnect }) => {
      if (isDestroyed) throw given()
      const name = isIP(host) === 0 ? { servername: host } : {}
      const socket = ssl
        ? openTlsSocket({ host, port, ...name, ...(ssl as TlsOptions) }, onConnect)
        : openSocket({ host, port }, onConnect)
      socket.setKeepAlive(true, KEEP_ALIVE_MS)
      // A live height is one small write after another.
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    destroy: () => {
      isDestroyed = true
      // With an error: the library hears of nothing else, and would leave its callers waiting.
      for (const socket of sockets) socket.destroy(given())
    },
  }
}

/**
 * The protocol's own calls (fetch, offsets, groups). The library hands them out in one place only:
 * to a function that assigns partitions. The consumer made for it is never run.
 */
const clusterOf = (kafka: Kafka): KafkaCluster => {
  let found: KafkaCluster | undefined
  kafka.consumer({
    groupId: 'never-joined',
    readUncommitted: false,
    allowAutoTopicCreation: false,
    partitionAssigners: [
      ({ cluster }) => {
        found = cluster
        return {
          name: 'none',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
        }
      },
    ],
  })
  if (!found) throw new Error('kafkajs handed out no cluster')
  return found
}

export const connectKafka = (config: KafkaConfig, logger: Logger): KafkaConnection => {
  const sockets = createSockets()
  const ssl = tlsOptionsOf(config)
  const sasl = saslOptionsOf(config)
  const kafka = new kafkajs.Kafka({
    brokers: [...config.brokers],
    clientId: config.clientId,
    connectionTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    socketFactory: sockets.open,
    retry: RETRY,
    logLevel: logLevel.INFO,
    logCreator: logCreator(logger),
    ...(ssl ? { ssl } : {}),
    ...(sasl ? { sasl } : {}),
  })
  return {
    cluster: () => clusterOf(kafka),
    admin: () => kafka.admin(),
    producer: ({ transactionalId, transactionTimeoutMs }) =>
      kafka.producer({
        transactionalId,
        transactionTimeout: transactionTimeoutMs,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
        retry: TRANSACTION_RETRY,
      }),
    destroy: sockets.destroy,
  }
}
