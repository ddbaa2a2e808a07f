// How many connections one client may have open, so that no client can take them all.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from './client-address.ts'

export type ConnectionLimits = {
  /** In all. Beyond it the operating system's backlog is what is left. */
  maxConnections: number
  /** Of one client while there is room; fewer as the service fills up. */
  maxPerClient: number
  keepAliveMs: number
  /** While the service is more than half full. */
  busyKeepAliveMs: number
}

/** However full the service is, a client may have this many: a browser opens six. */
const MIN_PER_CLIENT = 8

const REFUSAL = [
  'HTTP/1.1 429 Too Many Requests',
  'Connection: close',
  'Retry-After: 1',
  'Content-Length: 0',
  '\r\n',
].join('\r\n')

/** The last bytes reach a client that has not sent anything yet; no other client waits. */
const refuse = (socket: Socket): void => {
  socket.on('error', () => undefined)
  socket.end(REFUSAL)
  socket.destroySoon()
}

/** Before the server listens. Not behind a proxy: there all connections are the proxy's. */
export const limitConnections = (server: Server, limits: ConnectionLimits): void => {
  const { maxConnections, maxPerClient, keepAliveMs, busyKeepAliveMs } = limits
  const open = new Map<string, number>()
  let total = 0
  const changeBy = (client: string, change: 1 | -1): void => {
    const count = (open.get(client) ?? 0) + change
    if (count > 0) open.set(client, count)
    else open.delete(client)
    total += change
    server.keepAliveTimeout = total * 2 > maxConnections ? busyKeepAliveMs : keepAliveMs
  }
  /** All of it up to half full, then less in proportion to what is free. */
  const allowance = (): number => {
    const free = Math.max(maxConnections - total, 0) / maxConnections
    return Math.max(Math.floor(maxPerClient * Math.min(2 * free, 1)), MIN_PER_CLIENT)
  }
  const accept = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const client = addressKey(socket.remoteAddress)
    if ((open.get(client) ?? 0) >= Math.min(allowance(), maxPerClient)) {
      refuse(socket)
      return
    }
    changeBy(client, 1)
    socket.once('close', () => changeBy(client, -1))
    for (const listener of accept) listener.call(server, socket)
  })
}
