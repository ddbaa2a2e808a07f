// The URL of a listening server, for clients on this machine.
import type { Server } from 'node:net'

/** A loopback URL if `host` is every interface. */
export const localUrl = ({ host, port }: { host: string; port: number }): string => {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Undefined while the server does not listen. */
export const listeningUrl = (server: Server): string | undefined => {
  const listening = server.address()
  if (!listening || typeof listening === 'string') return undefined
  return localUrl({ host: listening.address, port: listening.port })
}
