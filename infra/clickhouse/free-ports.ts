// Ports that nobody listens on right now. Below the range that the system gives to outgoing connections.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { AppError } from '../runtime/errors.ts'

const LOWEST = 20_000
const BEYOND_HIGHEST = 32_000
const TRIES = 50

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** ClickHouse does not take port 0, so a free one is looked for; somebody may still be faster. */
export const findFreePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(LOWEST, BEYOND_HIGHEST)
    if (await isFree(port)) return port
  }
  throw new AppError('ENGINE_FAILED', `found no free port in ${TRIES} tries`)
}
