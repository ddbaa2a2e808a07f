// The baselines of a backfill: post recorded request bodies over keep-alive connections and read every response.
// One uses Node's `fetch`, one uses node:http. Both discard the responses.
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

type Post = (body: string) => Promise<number>

const postAll = async ({ bodiesFile, concurrency }: Parameters, post: Post) => {
  const bodies = JSON.parse(readFileSync(bodiesFile, 'utf8')) as string[]
  const startedMs = performance.now()
  let next = 0
  let bytes = 0
  const work = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      bytes += await post(body)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { tookMs: performance.now() - startedMs, bytes, requests: bodies.length }
}

const withFetch = (parameters: Parameters) =>
  postAll(parameters, async (body) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(parameters.url, { method: 'POST', headers, body })
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    return (await response.arrayBuffer()).byteLength
  })

const withHttp = async (parameters: Parameters) => {
  const target = new URL(parameters.url)
  const agent = new Agent({ keepAlive: true, maxSockets: parameters.concurrency })
  const posted = await postAll(parameters, (body) => post(target, agent, body))
  agent.destroy()
  return posted
}

takeOrders({ withFetch, withHttp })
