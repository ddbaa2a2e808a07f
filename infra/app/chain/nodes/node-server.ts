// The server of one node: the RPC over HTTP and websocket on one port.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { listeningUrl } from '../../../base/runtime/ports.ts'
import { answerHttp, type HttpAnswer, sendAnswer } from '../rpc/http.ts'
import { answerCall } from '../rpc/methods.ts'
import type { NodeView } from '../rpc/node-view.ts'
import type { Responder } from '../rpc/reply.ts'

/** How one HTTP request is answered. */
export type Exchange = {
  respond: Responder
  send(response: ServerResponse, answer: HttpAnswer): void
}

export type NodeServerOptions = {
  view: NodeView
  /** 0, the default, selects a free port. */
  port?: number
  host?: string
  /** Called for each HTTP request. */
  openExchange?: () => Exchange
  /** Accepts or refuses an upgrade to a websocket. */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void
}

export type NodeServer = {
  readonly url: string
  close(): Promise<void>
}

export const refuseUpgrade = (connection: Duplex): void => {
  // A client may be gone before it is refused.
  connection.on('error', () => {})
  connection.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
}

export const startNodeServer = async (options: NodeServerOptions): Promise<NodeServer> => {
  const { view, port = 0, host = '127.0.0.1', upgrade } = options
  const respond: Responder = (call) => answerCall(view, call)
  const { openExchange = () => ({ respond, send: sendAnswer }) } = options
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { respond: answer, send } = openExchange()
    send(response, await answerHttp(request, answer))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  server.on('upgrade', (request, connection, head) => {
    // Any path before it is that of a proxy.
    const isWebsocket = request.url?.endsWith('/websocket') === true
    if (isWebsocket) upgrade(request, connection, head)
    else refuseUpgrade(connection)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: listeningUrl(server) ?? '',
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
