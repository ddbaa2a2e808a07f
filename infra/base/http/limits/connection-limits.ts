// Limits the open connections of each client, so that no client can use all of them.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createClientShares } from './client-shares.ts'

export type ConnectionLimits = {
  /** Limit of all connections. Further ones wait in the backlog of the operating system. */
  maxConnections: number
  /** Limit of one client up to half load; it decreases with more load. A site has four times as many. */
  maxPerClient: number
  keepAliveMs: number
  /** Above half of `maxConnections`. */
  busyKeepAliveMs: number
}

/** Guaranteed to every client at any load: a browser opens six. */
const MIN_PER_CLIENT = 8

const REFUSAL = [
  'HTTP/1.1 429 Too Many Requests',
  'Connection: close',
  'Retry-After: 1',
  'Content-Length: 0',
  '\r\n',
].join('\r\n')

/** A client that has not sent anything yet receives the last bytes; no other client waits. */
const refuse = (socket: Socket): void => {
  socket.on('error', () => undefined)
  socket.end(REFUSAL)
  socket.destroySoon()
}

/** Call it before the server listens. Not for a server behind a proxy, which owns all connections. */
export const limitConnections = (server: Server, limits: ConnectionLimits): void => {
  const { maxConnections, maxPerClient, keepAliveMs, busyKeepAliveMs } = limits
  const open = createClientShares({ perClient: maxPerClient, total: maxConnections })
  const updateKeepAlive = (): void => {
    server.keepAliveTimeout = open.used * 2 > maxConnections ? busyKeepAliveMs : keepAliveMs
  }
  /** The full limit up to half load, then less in proportion to the free connections. */
  const allowance = (): number => {
    const free = Math.max(maxConnections - open.used, 0) / maxConnections
    return Math.max(Math.floor(maxPerClient * Math.min(2 * free, 1)), MIN_PER_CLIENT)
  }
  const accept = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    // The address is undefined when the connection has ended.
    const { remoteAddress = '' } = socket
    if (open.take(remoteAddress, Math.min(allowance(), maxPerClient)) < 0) {
      refuse(socket)
      return
    }
    updateKeepAlive()
    socket.once('close', () => {
      open.give(remoteAddress)
      updateKeepAlive()
    })
    for (const listener of accept) listener.call(server, socket)
  })
}
