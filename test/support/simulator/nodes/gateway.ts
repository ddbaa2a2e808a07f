// A public endpoint over HTTP: one URL with several nodes behind it, limits, and the manners of a CDN.
import http from 'node:http'
import { systemClock } from '../../../../infra/base/runtime/clock.ts'
import { listeningUrl } from '../../../../infra/base/runtime/ports.ts'
import type { Reply, Responder, RpcCall } from '../rpc/reply.ts'
import { answerBody, MAX_BODY_BYTES, readBody, refuseUpgrade } from '../rpc/server.ts'
import { createDeliveries, type DeliveryManners } from './delivery.ts'
import { createRequestLimits, type Limits, type Refusal } from './request-limits.ts'
import { createTrafficMeter, type Traffic } from './traffic.ts'

/** Each call of a batch counts as a request. */
export type GatewayManners = Limits &
  DeliveryManners & {
    /** Refuses requests without a `User-Agent`. */
    needsUserAgent?: boolean
    maxBodyBytes?: number
    /** Forbids larger batches. */
    maxBatch?: number
    /** Decides first, for each request. */
    refuses?: () => Refusal | undefined
  }

export type Gateway = {
  readonly url: string
  traffic(): Traffic
  close(): Promise<void>
}

const REASONS: Record<Refusal['status'], string> = {
  403: 'Forbidden',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  503: 'Service Temporarily Unavailable',
}

const createPage = (status: Refusal['status']): string => {
  const title = `${status} ${REASONS[status]}`
  const body = `<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>`
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n${body}\r\n</body>\r\n</html>\r\n`
}

const refuse = (response: http.ServerResponse, { status, retryAfterSeconds }: Refusal): void => {
  const pause = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  response.writeHead(status, { 'content-type': 'text/html', ...pause }).end(createPage(status))
}

/** The methods of a body, for the meter. Empty if the body is none of JSON-RPC. */
const listMethods = (body: string): string[] => {
  try {
    const calls = [JSON.parse(body) as RpcCall | RpcCall[]].flat()
    return calls.map(({ method }) => String(method))
  } catch {
    return []
  }
}

/** Names a read of a height; empty if the reply has no data. */
const nameRead = ({ method, params }: RpcCall, reply: Reply): string => {
  const { height, path = '', data = '' } = params
  if (!('result' in reply) || height === undefined || height === '0') return ''
  const { response } = reply.result as { response?: { code: number } }
  return response && response.code !== 0 ? '' : [method, height, path, data].join(' ')
}

/** The nodes answer one after the other. Without a websocket: an upgrade is refused. */
export const startGateway = async (
  nodes: readonly Responder[],
  manners: GatewayManners = {},
  clock = systemClock,
): Promise<Gateway> => {
  const { needsUserAgent = false, maxBodyBytes = MAX_BODY_BYTES } = manners
  const { refuses = () => undefined, maxBatch = Number.POSITIVE_INFINITY } = manners
  const limit = createRequestLimits(manners, clock)
  const meter = createTrafficMeter(clock)
  const openDelivery = createDeliveries(manners)
  let turn = 0

  const checkRequest = ({ headers }: http.IncomingMessage, calls: number): Refusal | undefined => {
    const refusal = refuses()
    if (refusal) return refusal
    if (needsUserAgent && !headers['user-agent']) return { status: 403 }
    if (calls > maxBatch) return { status: 403 }
    for (let call = 1; call < calls; call++) limit()
    return limit()
  }

  const grant = async (
    body: string,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ) => {
    const respond = nodes[turn++ % nodes.length]!
    const { isCut, deliver } = openDelivery()
    const answer = await answerBody(body, async (call) => {
      meter.count(call.method, isCut ? 'cut' : 'granted')
      const reply = await respond(call)
      const read = isCut ? '' : nameRead(call, reply)
      if (read) meter.noteRead(read)
      return reply
    })
    await deliver(request, response, answer)
  }

  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    meter.arrived()
    const body = await readBody(request, maxBodyBytes)
    if (body === undefined) return refuse(response, { status: 413 })
    const methods = listMethods(body)
    const refusal = checkRequest(request, methods.length)
    if (!refusal) return await grant(body, request, response)
    for (const method of methods) meter.count(method, 'refused')
    if (refusal.retryAfterSeconds !== undefined) meter.forbid(refusal.retryAfterSeconds)
    refuse(response, refusal)
  }

  const server = http.createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (_request, connection) => refuseUpgrade(connection))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: listeningUrl(server) ?? '',
    traffic: meter.current,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
