// Lets an application listen: the limits of its connections, and how it closes.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../runtime/clock.ts'
import { waitUntilSettled } from '../runtime/promises.ts'
import { withDeadline } from '../runtime/retry.ts'
import { limitConnections } from './limits/connection-limits.ts'
import { endUnreadResponses } from './limits/unread-responses.ts'
import { listeningUrl } from './listening-url.ts'
import { KEEP_ALIVE_MS } from './server.ts'

const MAX_CONNECTIONS = 10_000
const BUSY_KEEP_ALIVE_MS = 5_000
/** Time limit for running responses when the service closes. */
const CLOSE_BUDGET_MS = 1_000

export type ListenOptions = {
  host: string
  port: number
  /** Limit per client address. */
  maxConnectionsPerAddress: number
  /** Behind a proxy, connections per address are not limited: all of them come from the proxy. */
  trustProxy: boolean | number
  clock?: Clock | undefined
}

export type Listening = {
  url: string
  /** Accepts no more requests, and then ends every connection. */
  close(): Promise<void>
}

export const listen = async (app: FastifyInstance, options: ListenOptions): Promise<Listening> => {
  const { host, port, maxConnectionsPerAddress, trustProxy, clock } = options
  app.server.maxConnections = MAX_CONNECTIONS
  endUnreadResponses(app.server, clock)
  if (trustProxy === false) {
    limitConnections(app.server, {
      maxConnections: MAX_CONNECTIONS,
      maxPerClient: maxConnectionsPerAddress,
      keepAliveMs: KEEP_ALIVE_MS,
      busyKeepAliveMs: BUSY_KEEP_ALIVE_MS,
    })
  }
  await app.listen({ host, port })
  const url = listeningUrl(app.server)
  if (url === undefined) throw new Error('the server listens on no port')
  return {
    url,
    close: async () => {
      await waitUntilSettled(withDeadline(CLOSE_BUDGET_MS, undefined, () => app.close()))
      app.server.closeAllConnections()
    },
  }
}
