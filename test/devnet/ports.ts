// Finds free loopback ports below 32768: the kernel uses the range above, so binds there sometimes fail.
import { createServer } from 'node:net'

const LOWEST = 20_000
const HIGHEST = 32_000

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

export async function findFreePorts(count: number): Promise<number[]> {
  const found: number[] = []
  for (let attempt = 0; attempt < 1_000 && found.length < count; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (!found.includes(port) && (await isFree(port))) found.push(port)
  }
  if (found.length < count) throw new Error(`found no ${count} free ports below 32768`)
  return found
}
