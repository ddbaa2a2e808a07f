// Whether there is a container engine for tests to start parts with.
import { existsSync } from 'node:fs'

export const toReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''

/** Where an engine is looked for first: without any of these, the library need not be loaded to know. */
const SOCKETS = ['/var/run/docker.sock', `${process.env['XDG_RUNTIME_DIR'] ?? ''}/docker.sock`]

/** Why there is no container engine, or undefined where one answers. */
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
