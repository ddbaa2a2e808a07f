// Finds unused ports below the range that the system uses for outgoing connections.
import { randomInt } from 'node:crypto'
import { AppError } from '../runtime/errors.ts'
import { isPortFree } from '../runtime/ports.ts'

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
