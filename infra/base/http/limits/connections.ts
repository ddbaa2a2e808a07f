// Limits the open connections of each client, and ends those of clients that do not read their responses: no client can use all of them,
// or fill the memory.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as afterPolling } from 'node:timers/promises'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { every } from '../../runtime/retry.ts'
import { createClientShares } from './clients.ts'

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

/** A check that comes late counts once, so a busy process gives its clients more time and never less. */
export const UNREAD_CHECKS = { everyMs: 5_000, limit: 6 } as const

/** Node has no public count of accepted bytes: `bytesWritten - writableLength` counts a write only once all of it is. */
type Handle = { bytesWritten: number; writeQueueSize: number }

type Waiting = { acceptedBytes: number; checks: number }

/** The bytes that the operating system accepted so far; undefined if none wait for it. */
const countAccepted = (socket: Socket): number | undefined => {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  if (!handle || handle.writeQueueSize === 0) return undefined
  return handle.bytesWritten - handle.writeQueueSize
}

const checkSocket = (socket: Socket, before: Waiting | undefined): Waiting | undefined => {
  const acceptedBytes = countAccepted(socket)
  if (acceptedBytes === undefined) return undefined
  if (acceptedBytes !== before?.acceptedBytes) return { acceptedBytes, checks: 0 }
  const checks = before.checks + 1
  // Without a reset, the operating system keeps what it accepted for some minutes.
  if (checks >= UNREAD_CHECKS.limit) socket.resetAndDestroy()
  return { acceptedBytes, checks }
}

/**
 * Call it before the server listens; it ends when the server closes. The timeout of a socket (`server.timeout`) is no such
 * limit. It restarts with every byte that the client sends, such as empty lines between requests.
 */
export const endUnreadResponses = (server: Server, clock: Clock = systemClock): void => {
  const open = new Map<Socket, Waiting | undefined>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  const check = async () => {
    // Sockets are written while the process polls them. So what can be accepted now counts, even if the process was busy.
    await afterPolling()
    for (const [socket, before] of open) open.set(socket, checkSocket(socket, before))
  }
  const closed = new AbortController()
  server.once('close', () => closed.abort())
  server.once('listening', () => {
    void every(UNREAD_CHECKS.everyMs, { signal: closed.signal, clock }, check)
  })
}
