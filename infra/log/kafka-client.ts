// The only importer of `kafkajs`: connections to the brokers that can be destroyed at once and permanently.
// It retries only briefly: after a failure the caller destroys the connection and opens another one.
import { readFileSync } from 'node:fs'
import { isIP, connect as openSocket, type Socket } from 'node:net'
import { connect as openTlsSocket, type ConnectionOptions as TlsOptions } from 'node:tls'
// A default import: Node does not detect the named exports of this CommonJS module.
import kafkajs, {
  type Admin,
  type Cluster,
  type ISocketFactory,
  type Kafka,
  type LogEntry as KafkaLogEntry,
  type Message,
  type PartitionAssigner,
  type Producer,
  type SASLOptions,
} from 'kafkajs'
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { withDeadline } from '../runtime/retry.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type { Admin, Cluster, Kafka, Message, PartitionAssigner, Producer }
export const TOPIC_RESOURCE = kafkajs.ConfigResourceTypes.TOPIC
export const { MemberMetadata, MemberAssignment } = kafkajs.AssignerProtocol
export const { roundRobin } = kafkajs.PartitionAssigners
export const { DefaultPartitioner } = kafkajs.Partitioners

const CONNECT_MS = 3_000
const REQUEST_MS = 10_000
const KEEP_ALIVE_MS = 60_000
/** Only for very short failures. */
const RETRY = { initialRetryTime: 50, maxRetryTime: 250, retries: 3 }

const fileAt = (path: string, name: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `the configuration is not valid:\n  - ${name}: ${reason}`
    throw new AppError('CONFIG_INVALID', message, { expose: true, cause })
  }
}

/** Undefined: no TLS. Reads the files each time, so that a renewed certificate takes effect. */
export const readTlsOptions = (config: KafkaConfig): TlsOptions | undefined => {
  const { tls, tlsCaFile, tlsCertFile, tlsKeyFile } = config
  if (!tls) return undefined
  return {
    ...(tlsCaFile ? { ca: fileAt(tlsCaFile, 'KAFKA_TLS_CA_FILE') } : {}),
    ...(tlsCertFile ? { cert: fileAt(tlsCertFile, 'KAFKA_TLS_CERT_FILE') } : {}),
    ...(tlsKeyFile ? { key: fileAt(tlsKeyFile, 'KAFKA_TLS_KEY_FILE') } : {}),
  }
}

/** Undefined: no login. */
export const toSaslOptions = (config: KafkaConfig): SASLOptions | undefined => {
  const { saslMechanism: mechanism, saslUsername: username, saslPassword: password } = config
  if (mechanism === undefined || username === undefined || password === undefined) return undefined
  return { mechanism, username, password }
}

/** Logs the messages of the library at a lower level: the caller receives important failures as errors. */
const logCreator = (logger: Logger) => () => (entry: KafkaLogEntry) => {
  const { message, error, broker, groupId } = entry.log
  const fields = { namespace: entry.namespace, said: message, error, broker, groupId }
  if (entry.level <= kafkajs.logLevel.WARN) logger.debug(fields, 'message of the Kafka client')
  else logger.trace(fields, 'message of the Kafka client')
}

const createSockets = () => {
  const sockets = new Set<Socket>()
  const reason = new Error('the connection was destroyed')
  let isDestroyed = false
  const open: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (isDestroyed) throw reason
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket = ssl
      ? openTlsSocket({ host, port, ...name, ...ssl }, onConnect)
      : openSocket({ host, port }, onConnect)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    // A live height is one small write after another.
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const destroy = () => {
    isDestroyed = true
    // With an error: the library notices only errors, and its callers would otherwise wait.
    for (const socket of sockets) socket.destroy(reason)
  }
  return { open, destroy }
}

export type KafkaConnection = {
  kafka: Kafka
  /** Ends every running call, and refuses every further one. */
  destroy(): void
}

export const connectKafka = (
  config: KafkaConfig,
  logger: Logger,
  requestTimeoutMs = REQUEST_MS,
): KafkaConnection => {
  const sockets = createSockets()
  const ssl = readTlsOptions(config)
  const sasl = toSaslOptions(config)
  const kafka = new kafkajs.Kafka({
    brokers: [...config.brokers],
    clientId: config.clientId,
    connectionTimeout: CONNECT_MS,
    requestTimeout: requestTimeoutMs,
    socketFactory: sockets.open,
    retry: RETRY,
    logLevel: kafkajs.logLevel.INFO,
    logCreator: logCreator(logger),
    ...(ssl ? { ssl } : {}),
    ...(sasl ? { sasl } : {}),
  })
  return { kafka, destroy: sockets.destroy }
}

export type Session<Client> = {
  /** Rejects with the unchanged failure, which ends the session unless `isHarmless`. */
  call<T>(
    limits: {
      timeoutMs: number
      signal: AbortSignal
      isHarmless?: (error: unknown) => boolean
    },
    use: (client: Client, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  isOpen(): boolean
  close(): void
}

/** A client on a separate connection: opened by the first call, and again by the first call after a failure. */
export const createSession = <Client>(
  connect: () => KafkaConnection,
  open: (kafka: Kafka) => Promise<Client>,
): Session<Client> => {
  let current: { client: Promise<Client>; destroy(): void } | undefined
  const start = () => {
    const { kafka, destroy } = connect()
    const client = open(kafka)
    // The caller may have stopped waiting.
    client.catch(() => {})
    return { client, destroy }
  }
  const end = (session: typeof current) => {
    session?.destroy()
    if (session === current) current = undefined
  }
  return {
    call: async ({ timeoutMs, signal, isHarmless = () => false }, use) => {
      current ??= start()
      const session = current
      try {
        return await withDeadline(timeoutMs, signal, async (ending) =>
          use(await session.client, ending),
        )
      } catch (error) {
        if (!isHarmless(error)) end(session)
        throw error
      }
    },
    isOpen: () => current !== undefined,
    close: () => end(current),
  }
}
