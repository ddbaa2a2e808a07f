// The baseline of a backfill: posts request bodies with node:http over keep-alive connections, and reads and discards every
// response.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { takeOrders } from './orders.ts'

type Parameters = { url: string; bodiesFile: string; concurrency: number }

const post = (url: URL, agent: Agent, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
      })
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`status ${response.statusCode}`)),
      )
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

/** Posts all bodies in order, so many at once. */
const postAll = async ({ url, bodiesFile, concurrency }: Parameters) => {
  const bodies = JSON.parse(readFileSync(bodiesFile, 'utf8')) as string[]
  const target = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const startedMs = performance.now()
  let next = 0
  let bytes = 0
  const work = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const received = await post(target, agent, body)
      bytes += received
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const tookMs = performance.now() - startedMs
  agent.destroy()
  return { tookMs, bytes, requests: bodies.length }
}

takeOrders({ post: postAll })
