// An HTTP server on a free local port.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { listeningUrl } from '../../../infra/base/runtime/ports.ts'

export const refuseUpgrade = (connection: Duplex): void => {
  // A client may be gone before it is refused.
  connection.on('error', () => {})
  connection.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
}

export type HttpServer = Awaited<ReturnType<typeof startServer>>
export type Serve = (request: IncomingMessage, response: ServerResponse) => unknown

/** `upgrade` accepts or refuses an upgrade to a websocket; all are refused by default. */
export const startServer = async (
  serve: Serve,
  upgrade: (request: IncomingMessage, connection: Duplex, head: Buffer) => void = (_, connection) =>
    refuseUpgrade(connection),
) => {
  const server = createServer(async (request, response) => {
    try {
      await serve(request, response)
    } catch {
      response.destroy()
    }
  })
  server.on('upgrade', upgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: listeningUrl(server) ?? '',
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
