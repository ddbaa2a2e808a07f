// The address of a server as others on this machine can use it, once it listens.
import type { Server } from 'node:net'

/** Where all interfaces are listened on, this machine's own; undefined while nothing listens. */
export const listeningUrl = (server: Server): string | undefined => {
  const listening = server.address()
  if (!listening || typeof listening === 'string') return undefined
  const { address, family, port } = listening
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
