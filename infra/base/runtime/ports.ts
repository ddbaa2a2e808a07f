// Ports that cannot be used: found together before a start, or explained after a failed one.
import { randomInt } from 'node:crypto'
import type { Server } from 'node:net'
import { createServer } from 'node:net'
import { configInvalid } from './config.ts'
import { AppError, isSystemError } from './errors.ts'

/** The setting with the port, and the address at which a service will listen. */
export type PortUse = { setting: string; host: string; port: number }

/** The reason why a port cannot be used; undefined if it can. */
const tryPort = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(listenProblem(error)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

const listenProblem = (error: Error): string => {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE'
  return isTaken ? 'is in use' : `cannot be listened on (${error.message})`
}

export const isPortFree = async (host: string, port: number): Promise<boolean> =>
  (await tryPort(host, port)) === undefined

const findConflict = ({ port }: PortUse, earlier: readonly PortUse[]): string | undefined => {
  const same = earlier.find((other) => port !== 0 && other.port === port)
  return same && `is also ${same.setting}`
}

/** Throws `CONFIG_INVALID` with every port that cannot be used. Port 0 is any free one. */
export const requireUsablePorts = async (uses: readonly PortUse[]): Promise<void> => {
  const problems = await Promise.all(
    uses.map(async (use, at) => {
      const reason = findConflict(use, uses.slice(0, at)) ?? (await tryPort(use.host, use.port))
      return reason === undefined ? [] : [`${use.setting}: ${use.host}:${use.port} ${reason}`]
    }),
  )
  if (problems.flat().length > 0) throw configInvalid(problems.flat())
}

/** A port in use is a configuration error; the message names the settings. Other errors are returned unchanged. */
export const explainListenError = (error: unknown): unknown => {
  if (!isSystemError(error) || error.syscall !== 'listen') return error
  const { address, port } = error as Error & { address?: string; port?: number }
  return new AppError(
    'CONFIG_INVALID',
    `${address}:${port} ${listenProblem(error)}; choose another PORT or OPERATORS_PORT, or HOST`,
    { expose: true, cause: error },
  )
}

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

const LOWEST = 20_000
const BEYOND_HIGHEST = 32_000
const TRIES = 50

export const LOOPBACK = '127.0.0.1'

/**
 * Linux accepts connections on all of 127.0.0.0/8. A web page that tries ports of 127.0.0.1 does not find a random
 * address there. Other systems only have 127.0.0.1.
 */
export const randomLoopback = (platform: string = process.platform): string =>
  platform === 'linux'
    ? ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.')
    : LOOPBACK

/** ClickHouse does not accept port 0, so this finds a free one; another process may still take it first. */
export const findFreePort = async (host: string): Promise<number> => {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(LOWEST, BEYOND_HIGHEST)
    if (await isPortFree(host, port)) return port
  }
  throw new AppError('ENGINE_FAILED', `found no free port in ${TRIES} tries`)
}
