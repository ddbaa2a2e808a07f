// `GET /api/stream`: server-sent events for changed proposals, or for the votes and last days of some accounts.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Handler, Request, Route } from '../../../infra/base/http/routes.ts'
import { ApiProblem } from '../../read/problems.ts'
import type { Snapshot } from '../../read/snapshot.ts'
import { createAccountsQuery, type NamedAccounts } from '../../resources/accounts.ts'
import { changes as changesOperation } from '../../resources/changes.ts'
import { invalidParameters, parseQuery } from '../../resources/parameters.ts'
import { parseProposalId } from '../../resources/path-parameters.ts'
import {
  type Changes,
  createAccountChanges,
  createChanges,
  type Filter,
  parseEventId,
  type StreamIds,
  type StreamPosition,
} from '../../stream/changes.ts'
import { createConnectionLimiter, createHub, createListener } from '../../stream/hub.ts'
import type { Service } from '../service.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Disables the buffering of proxies.
  'x-accel-buffering': 'no',
  // A stream has no end, so no other response can follow on its connection.
  connection: 'close',
} as const

/** Of all open streams together: each block is searched for them. */
const MAX_ACCOUNTS = 10_000

/** A random delay spreads the reconnects of clients when an instance stops. */
const RETRY_FROM_MS = 1_000
const RETRY_SPAN_MS = 4_000

const createRetryLine = (): Buffer =>
  Buffer.from(`retry: ${RETRY_FROM_MS + Math.floor(Math.random() * RETRY_SPAN_MS)}\n\n`)

const toProposalFilter = (proposalId: string | undefined): Filter => {
  const accounts = new Map()
  if (proposalId === undefined) return { accounts }
  const read = parseProposalId(proposalId)
  if (read.kind !== 'unknown') return { accounts, proposalId: read.id }
  throw invalidParameters([{ parameter: 'proposalId', detail: 'must be less than 2^64' }])
}

const parseFilters = ({ query }: Request) => {
  const { proposalId, ...named } = parseQuery(query, changesOperation.queryParameters, {
    own: changesOperation.parameters,
  })
  const isOfAccounts = 'pool' in named || 'voter' in named
  if (isOfAccounts && proposalId !== undefined) {
    const detail = 'cannot be combined with pool or voter'
    throw invalidParameters([{ parameter: 'proposalId', detail }])
  }
  return { proposalId, named: isOfAccounts ? (named as NamedAccounts) : undefined }
}

/** The position of the client. `isLost` is true for an unknown id. */
const parseLastEventId = (
  { headers }: Request,
  ids: StreamIds,
  snapshot: Snapshot,
): { after: StreamPosition | undefined; isLost: boolean } => {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return { after: undefined, isLost: false }
  const after = parseEventId(`${id}`, ids, snapshot)
  return { after, isLost: after === undefined }
}

export const createStreamRoute = (app: FastifyInstance, options: Service): Route => {
  const { snapshots, streamMetrics, baseUrl, store, reader } = options
  const { path, operationId: operation } = changesOperation
  const limiter = createConnectionLimiter({ ...options, metrics: streamMetrics })

  /** All streams of one kind share their reads. */
  const createKind = (changes: Changes) => {
    const hub = createHub({ ...options, changes })
    app.addHook('preClose', async () => hub.close())
    return (filter: Filter, request: Request, reply: FastifyReply): FastifyReply => {
      const snapshot = requireSnapshot()
      reply.headers(HEADERS)
      if (request.method === 'HEAD') return reply.send()
      // Its connection ended during the check of its token: nothing would give a place back.
      if (reply.raw.destroyed) return reply.hijack()
      const release = limiter.take(request.ip)
      const { after, isLost } = parseLastEventId(request, changes.ids, snapshot)
      options.metrics.answered(operation, 200)
      reply.hijack()
      const response = reply.raw
      const onSent = (events: number) => streamMetrics.sent(events)
      const onSlow = () => streamMetrics.slow()
      const listener = createListener({ response, after, filter, onSent, onSlow })
      response.once('close', () => {
        hub.leave(listener)
        release()
      })
      response.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
      listener.write(createRetryLine())
      if (isLost) {
        const lost = changes.reset('Last-Event-ID is not an event id of this stream', snapshot)
        listener.send([lost], lost.position)
      }
      hub.join(listener)
      return reply
    }
  }
  const requireSnapshot = (): Snapshot => {
    const snapshot = snapshots.current()
    if (snapshot) return snapshot
    throw new ApiProblem('nothing-projected', 'The first heights are being indexed.')
  }
  const openProposals = createKind(createChanges(store, baseUrl))
  const openAccounts = createKind(createAccountChanges(store, baseUrl))

  let openCount = 0
  const takeAccounts = (count: number, reply: FastifyReply): void => {
    if (openCount + count > MAX_ACCOUNTS) {
      const detail = `The streams of this service have ${MAX_ACCOUNTS} accounts together at most.`
      throw new ApiProblem('streams-exhausted', detail, { headers: { 'retry-after': '30' } })
    }
    openCount += count
    reply.raw.once('close', () => {
      openCount -= count
    })
  }
  const openStream: Handler = async (request, reply) => {
    const { proposalId, named } = parseFilters(request)
    requireSnapshot()
    if (!named) return openProposals(toProposalFilter(proposalId), request, reply)
    const { body: accounts } = await reader.get(createAccountsQuery(named), request.ip)
    // Nothing would give them back.
    if (reply.raw.destroyed) return reply.hijack()
    takeAccounts(accounts.size, reply)
    return openAccounts({ accounts }, request, reply)
  }
  return { path, operation, handlers: { GET: openStream } }
}
