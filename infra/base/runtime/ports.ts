// Ports that cannot be used: found together before a start, or explained after a failed one.
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
