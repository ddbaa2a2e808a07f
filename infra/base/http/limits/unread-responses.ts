// Ends the connections of clients that do not read their responses, so that no client can fill the memory with them.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as afterPolling } from 'node:timers/promises'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { every } from '../../runtime/supervise.ts'

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
