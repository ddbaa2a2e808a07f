// Checks whether tests can start containers.
import { existsSync } from 'node:fs'

export const toReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''

/** The usual locations of an engine: without any of these, the library is not loaded. */
const SOCKETS = ['/var/run/docker.sock', `${process.env['XDG_RUNTIME_DIR'] ?? ''}/docker.sock`]

/** The reason why no container engine is usable, or undefined. */
export const checkContainerEngine = async (): Promise<string | undefined> => {
  if (!process.env['DOCKER_HOST'] && !SOCKETS.some((path) => existsSync(path))) {
    return 'no DOCKER_HOST, and no socket of an engine'
  }
  try {
    const { getContainerRuntimeClient } = await import('testcontainers')
    await getContainerRuntimeClient()
    return undefined
  } catch (error) {
    return toReason(error)
  }
}
