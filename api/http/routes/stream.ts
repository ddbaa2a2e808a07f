// `GET /api/stream`: server-sent events for changed proposals.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import type { Handler, Request, Route } from '../../../infra/base/http/routes.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import type { ApiMetrics } from '../../api-metrics.ts'
import { ApiProblem } from '../../problem.ts'
import type { Snapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { changes as changesOperation } from '../../resources/changes.ts'
import { invalidParameters, parseQuery } from '../../resources/parameters.ts'
import { parseProposalId } from '../../resources/path-parameters.ts'
import { createChanges } from '../../stream/changes.ts'
import { createConnectionLimiter } from '../../stream/connection-limiter.ts'
import { createHub } from '../../stream/hub.ts'
import { createListener } from '../../stream/listener.ts'
import type { StreamMetrics } from '../../stream/metrics.ts'
import { parseEventId, type StreamPosition } from '../../stream/stream-position.ts'

export type StreamRoute = {
  /** Concurrent streams: in total, and per address. */
  maxListeners: number
  maxListenersPerAddress: number
  snapshots: SnapshotSource
  store: Store
  baseUrl: string
  metrics: ApiMetrics
  streamMetrics: StreamMetrics
  clock: Clock
  logger: Logger
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Disables the buffering of proxies.
  'x-accel-buffering': 'no',
  // A stream has no end, so no other response can follow on its connection.
  connection: 'close',
} as const

/** A random delay spreads the reconnects of clients when an instance stops. */
const RETRY_FROM_MS = 1_000
const RETRY_SPAN_MS = 4_000

const createRetryLine = (): Buffer =>
  Buffer.from(`retry: ${RETRY_FROM_MS + Math.floor(Math.random() * RETRY_SPAN_MS)}\n\n`)

const parseFilter = (request: Request): string | undefined => {
  const { proposalId } = parseQuery(request.query, ['proposalId'])
  if (proposalId === undefined) return undefined
  const read = parseProposalId(proposalId)
  if (read.kind !== 'unknown') return read.id
  throw invalidParameters([{ parameter: 'proposalId', detail: 'must be less than 2^64' }])
}

/** The position of the client. `isLost` is true for an unknown id. */
const parseLastEventId = (
  { headers }: Request,
  snapshot: Snapshot,
): { after: StreamPosition | undefined; isLost: boolean } => {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return { after: undefined, isLost: false }
  const after = parseEventId(`${id}`, snapshot)
  return { after, isLost: after === undefined }
}

export const createStreamRoute = (app: FastifyInstance, options: StreamRoute): Route => {
  const { snapshots, streamMetrics, baseUrl } = options
  const { path, operationId: operation } = changesOperation
  const changes = createChanges(options.store, baseUrl)
  const hub = createHub({ snapshots, changes, clock: options.clock, logger: options.logger })
  const limiter = createConnectionLimiter({ ...options, metrics: streamMetrics })
  app.addHook('preClose', async () => hub.close())

  const openStream: Handler = (request, reply) => {
    const proposalId = parseFilter(request)
    const snapshot = snapshots.current()
    if (!snapshot) {
      throw new ApiProblem('nothing-projected', 'The first heights are being indexed.')
    }
    reply.headers(HEADERS)
    if (request.method === 'HEAD') return reply.send()
    // Its connection ended during the check of its token: nothing would give a place back.
    if (reply.raw.destroyed) return reply.hijack()
    const release = limiter.take(request.ip)
    const { after, isLost } = parseLastEventId(request, snapshot)
    options.metrics.answered(operation, 200)
    reply.hijack()
    const response = reply.raw
    const onSent = (events: number) => streamMetrics.sent(events)
    const onSlow = () => streamMetrics.slow()
    const listener = createListener({ response, after, proposalId, onSent, onSlow })
    response.once('close', () => {
      hub.leave(listener)
      release()
    })
    response.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    listener.write(createRetryLine())
    if (isLost) {
      const lost = changes.reset('Last-Event-ID is not an event id of this stream', snapshot)
      listener.send([lost], lost.bytes)
    }
    hub.join(listener)
    return reply
  }
  return { path, operation, handlers: { GET: openStream } }
}
