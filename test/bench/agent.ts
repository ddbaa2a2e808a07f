// A plain HTTP client on one keep-alive connection, like a program that reads all pages. It follows no redirects.
import { Agent, request } from 'node:http'

export type Answer = { status: number; rawHeaders: string[]; body: Buffer }

export type WalkingAgent = {
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Throws if the response is an error. */
  json<Body>(url: string): Promise<Body>
  close(): void
}

const get = (
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0, rawHeaders } = response
        resolve({ status: statusCode, rawHeaders, body: Buffer.concat(parts) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

export const createWalkingAgent = (): WalkingAgent => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    get: (url, headers) => get(url, agent, headers),
    json: async <Body>(url: string) => {
      const { status, body } = await get(url, agent)
      if (status !== 200) throw new Error(`${url} answered ${status}: ${body}`)
      return JSON.parse(body.toString('utf8')) as Body
    },
    close: () => agent.destroy(),
  }
}
