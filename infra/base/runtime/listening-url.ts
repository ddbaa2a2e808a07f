// The URL of a listening server, for clients on this machine.
import type { Server } from 'node:net'

/** A loopback URL if the server listens on all interfaces; undefined while it does not listen. */
export const listeningUrl = (server: Server): string | undefined => {
  const listening = server.address()
  if (!listening || typeof listening === 'string') return undefined
  const { address, family, port } = listening
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
