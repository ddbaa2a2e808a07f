// The only importer of `kafkajs`: connections to the brokers that can be destroyed at once and permanently.
// It retries only briefly: after a failure the caller destroys the connection and opens another one. Every failure gets a code.
import { readFileSync } from 'node:fs'
import { isIP, connect as openSocket, type Socket } from 'node:net'
import { connect as openTlsSocket, type ConnectionOptions as TlsOptions } from 'node:tls'
// A default import: Node does not detect the named exports of this CommonJS module.
import kafkajs, {
  type Admin,
  type Cluster,
  type ISocketFactory,
  type Kafka,
  type Message,
  type PartitionAssigner,
  type Producer,
  type SASLOptions,
} from 'kafkajs'
import { handledLater, onAbort } from '../runtime/abort.ts'
import { configInvalid } from '../runtime/config.ts'
import { AppError, hasCode } from '../runtime/errors.ts'
import { withDeadline } from '../runtime/retry.ts'
import { entryTooLarge } from './event-log.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type { Admin, Cluster, Kafka, Message, PartitionAssigner, Producer }
export const TOPIC_RESOURCE = kafkajs.ConfigResourceTypes.TOPIC
export const { roundRobin } = kafkajs.PartitionAssigners
export const { DefaultPartitioner } = kafkajs.Partitioners

const CONNECT_MS = 3_000
const REQUEST_MS = 10_000
const KEEP_ALIVE_MS = 60_000
/** Only for very short failures. */
const RETRY = { initialRetryTime: 50, maxRetryTime: 250, retries: 3 }

const readPem = (name: string, path: string | undefined): Buffer | undefined => {
  try {
    return path === undefined ? undefined : readFileSync(path)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw configInvalid([`${name}: ${reason}`], cause)
  }
}

/** Reads the files each time, so that a renewed certificate takes effect. */
const readTlsOptions = (config: KafkaConfig): TlsOptions => ({
  ca: readPem('KAFKA_TLS_CA_FILE', config.tlsCaFile),
  cert: readPem('KAFKA_TLS_CERT_FILE', config.tlsCertFile),
  key: readPem('KAFKA_TLS_KEY_FILE', config.tlsKeyFile),
})

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
  requestTimeoutMs = REQUEST_MS,
): KafkaConnection => {
  const sockets = createSockets()
  const {
    saslMechanism: mechanism,
    saslUsername: username = '',
    saslPassword: password = '',
  } = config
  const sasl: SASLOptions | undefined = mechanism && { mechanism, username, password }
  const kafka = new kafkajs.Kafka({
    brokers: [...config.brokers],
    ssl: config.tls && readTlsOptions(config),
    clientId: config.clientId,
    connectionTimeout: CONNECT_MS,
    requestTimeout: requestTimeoutMs,
    socketFactory: sockets.open,
    retry: RETRY,
    // Important failures reach the caller as errors.
    logLevel: kafkajs.logLevel.NOTHING,
    ...(sasl ? { sasl } : {}),
  })
  return { kafka, destroy: sockets.destroy }
}

/** Another process has taken the transactional id. The second code is newer than the table of the client. */
const FENCED = /INVALID_PRODUCER_EPOCH|PRODUCER_FENCED|Unknown error code 90\b/
/** A wrong login, a missing right or a certificate that is not trusted: waiting does not fix it. */
const REFUSED = /_AUTHORIZATION_FAILED|SASLAuthenticationError|_SASL_MECHANISM|certificate/
/** Errors that a retry does not change. */
const PERMANENT =
  /INVALID_(RECORD|TIMESTAMP|TOPIC_EXCEPTION|REQUIRED_ACKS|REQUEST|CONFIG|TRANSACTION_TIMEOUT)|UNSUPPORTED_(VERSION|FOR_MESSAGE_FORMAT|COMPRESSION_TYPE)|POLICY_VIOLATION|SECURITY_DISABLED/
/** Errors about the size of one record, and of all records of one send. */
const TOO_LARGE = /MESSAGE_TOO_LARGE|RECORD_LIST_TOO_LARGE/
const NO_TOPIC = /UNKNOWN_TOPIC_OR_PARTITION/
const OUT_OF_RANGE = /OFFSET_OUT_OF_RANGE/

type ErrorFields = { name?: unknown; type?: unknown; message?: unknown; cause?: unknown }

/** Causes can form a cycle. */
const MAX_CAUSES = 10

/** The error and its causes, outermost first. */
const listCauses = (error: unknown): ErrorFields[] => {
  const found: ErrorFields[] = []
  for (let at = error; typeof at === 'object' && at !== null && found.length < MAX_CAUSES; ) {
    const fields: ErrorFields = at
    found.push(fields)
    at = fields.cause
  }
  return found
}

/** The error or one of its causes matches. */
const matches = (error: unknown, ...patterns: RegExp[]): boolean =>
  listCauses(error).some(({ name, type, message }) =>
    patterns.some((pattern) => pattern.test(`${name} ${type} ${message}`)),
  )

export const isAbsentTopic = (error: unknown): boolean => matches(error, NO_TOPIC)
export const isOutOfRange = (error: unknown): boolean => matches(error, OUT_OF_RANGE)

const describe = (error: unknown): string => {
  if (isAbsentTopic(error)) return 'there is no such topic yet'
  const { type, message } = listCauses(error)[0] ?? {}
  return typeof type === 'string' ? `${type}: ${message}` : String(message ?? error)
}

/** Maps an error to the codes of `EventLog`. `what` is the action, in the infinitive. */
export function logError(error: unknown, what: string): AppError {
  const isAborted = hasCode(error, 'ABORTED')
  const isUnclear = isAborted || hasCode(error, 'DEADLINE_EXCEEDED')
  if (error instanceof AppError && !isUnclear) return error
  const message = `could not ${what}: ${describe(error)}`
  if (matches(error, FENCED)) {
    const taken = `could not ${what}: another writer took over`
    return new AppError('LOG_FENCED', taken, { cause: error })
  }
  if (matches(error, TOO_LARGE)) return entryTooLarge(message, error)
  const retryable = !isAborted && !matches(error, REFUSED, PERMANENT)
  return new AppError('LOG_UNAVAILABLE', message, { retryable, cause: error })
}

export type Session<Client> = {
  /** Rejects with a code of `EventLog`, and then closes the connection. `what` is the action, in the infinitive. */
  call<T>(
    limits: { what: string; timeoutMs: number },
    use: (client: Client, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  isOpen(): boolean
}

/**
 * A client on a separate connection: opened by the first call, and again by the first call after a failure. It is closed once
 * `signal` fires.
 */
export const createSession = <Client>(options: {
  config: KafkaConfig
  signal: AbortSignal
  open(kafka: Kafka): Promise<Client>
}): Session<Client> => {
  const { config, signal, open } = options
  let current: { client: Promise<Client>; destroy(): void } | undefined
  const start = () => {
    const { kafka, destroy } = connectKafka(config)
    return { client: handledLater(open(kafka)), destroy }
  }
  const end = (session: typeof current) => {
    session?.destroy()
    if (session === current) current = undefined
  }
  onAbort(signal, () => end(current))
  return {
    call: async ({ what, timeoutMs }, use) => {
      let session: typeof current
      try {
        return await withDeadline(timeoutMs, signal, async (ending) => {
          current ??= start()
          session = current
          return use(await session.client, ending)
        })
      } catch (error) {
        end(session)
        throw logError(error, what)
      }
    },
    isOpen: () => current !== undefined,
  }
}

export const openAdmin = async (kafka: Kafka): Promise<Admin> => {
  const admin = kafka.admin()
  await admin.connect()
  return admin
}
