// What every service that strangers reach over HTTP has in common: bounds on requests and connections, and how it ends.
import type { FastifyInstance } from 'fastify'
import { listeningUrl } from './listening-url.ts'
import { withDeadline } from './retry.ts'

const REQUEST_TIMEOUT_MS = 10_000
const MAX_CONNECTIONS = 10_000
/** Answers under way have this long to be finished when the service is closed. */
const CLOSE_BUDGET_MS = 1_000

/** For `fastify(…)`. */
export const HTTP_BOUNDS = {
  http: {
    maxHeaderSize: 16 * 1024,
    headersTimeout: REQUEST_TIMEOUT_MS,
    /** By default a slow request is noticed half a minute late. */
    connectionsCheckingInterval: 1_000,
  },
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: 65_000,
} as const

export type Listening = {
  url: string
  /** Takes no more requests; then ends every connection. */
  close(): Promise<void>
}

export const listen = async (
  app: FastifyInstance,
  at: { host: string; port: number },
): Promise<Listening> => {
  app.server.maxConnections = MAX_CONNECTIONS
  await app.listen(at)
  const url = listeningUrl(app.server)
  if (url === undefined) throw new Error('the server listens on no port')
  return {
    url,
    close: async () => {
      await withDeadline(CLOSE_BUDGET_MS, undefined, () => app.close()).catch(() => undefined)
      app.server.closeAllConnections()
    },
  }
}
