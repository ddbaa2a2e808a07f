// Four hostile clients with different addresses, and one regular client that only reads.
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const REQUEST_TIMEOUT_MS = 15_000

export type Statuses = Map<string, number>

export type Clients = {
  /** Responses by client and status; a failed connection counts by its error code. */
  statuses: ReadonlyMap<string, Statuses>
  stop(): Promise<void>
}

type Sent = {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

const createSender = (url: URL, name: string, localAddress: string) => {
  const statuses: Statuses = new Map()
  const agent = new Agent({ keepAlive: true, maxSockets: 16, localAddress })
  const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const send = ({ path, method = 'GET', headers = {}, body }: Sent): Promise<string> =>
    new Promise((resolve) => {
      const options = { agent, method, headers, timeout: REQUEST_TIMEOUT_MS, path }
      const sent = request({ host: url.hostname, port: url.port, ...options }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => undefined)
        response.on('close', () => {
          count(String(response.statusCode))
          resolve(Buffer.concat(chunks).toString())
        })
      })
      sent.on('timeout', () => sent.destroy(new Error('timeout')))
      sent.on('error', (error: NodeJS.ErrnoException) => {
        count(error.code ?? error.message)
        resolve('')
      })
      sent.end(body)
    })
  return { name, statuses, send, agent }
}

type Sender = ReturnType<typeof createSender>
type Act = (sender: Sender, turn: number) => Promise<unknown>

/** Pages that are not cached. */
const deepPages: Act = ({ send }, turn) =>
  Promise.all([
    send({ path: `/proposals/${1 + (turn % 40)}?page=${turn * 7919}` }),
    send({ path: `/api/proposals/${1 + (turn % 40)}/votes?page=${turn}` }),
    send({ path: `/api/proposals?q=${'soak%20'.repeat(turn % 9)}${turn}` }),
  ])

/** URLs and headers that would fill a cache with such keys. */
const longKeys: Act = ({ send }, turn) =>
  Promise.all([
    send({ path: `/api/proposals?page=${'0'.repeat(3_000)}${turn}`, method: 'HEAD' }),
    send({ path: `/api/health?${'&'.repeat(turn % 3_000)}` }),
    send({ path: '/api/pools', headers: { accept: `text/x-${turn}${';a=b'.repeat(2_000)}` } }),
  ])

/** Half-open connections, unread streams and incomplete requests. */
const sockets =
  (url: URL, localAddress: string): Act =>
  async ({ statuses }) => {
    const open = Array.from({ length: 40 }, (_, at) => {
      const socket = connect({ host: url.hostname, port: Number(url.port), localAddress })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        const code = error.code ?? 'error'
        statuses.set(code, (statuses.get(code) ?? 0) + 1)
      })
      if (at % 3 === 0) socket.write('GET /api/stream HTTP/1.1\r\nHost: x\r\n\r\n')
      if (at % 3 === 1) socket.write('POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{')
      return socket
    })
    await sleep(2_000)
    for (const socket of open) socket.destroy()
  }

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** Registrations that are revoked at once, tokens that were never issued, tools that do not exist. */
const agents: Act = async ({ send }, turn) => {
  const body = JSON.stringify({ type: 'anonymous' })
  const made = await send({ path: '/agent/identity', method: 'POST', headers: JSON_TYPE, body })
  const token = /"access_token":"([^"]+)"/.exec(made)?.[1] ?? `forged.${turn}.token`
  await send({ path: '/oauth2/revoke', method: 'POST', headers: FORM_TYPE, body: `token=${token}` })
  await send({ path: '/api/proposals', headers: { authorization: `Bearer ${token}` } })
  const call = { jsonrpc: '2.0', id: turn, method: 'tools/call', params: { name: 'valueOf' } }
  await send({ path: '/mcp', method: 'POST', headers: JSON_TYPE, body: JSON.stringify(call) })
}

/** The requests of a regular client: the newest proposals, their votes and the indexed height. */
const reader: Act = async ({ send }, turn) => {
  const list = await send({ path: '/api/proposals' })
  const ids = [...list.matchAll(/"proposalId":"(\d+)"/g)].map(([, id]) => id)
  const id = ids[turn % Math.max(1, ids.length)]
  if (id) await send({ path: `/api/proposals/${id}/votes` })
  await send({ path: '/api/health' })
  await send({ path: '/' })
  await sleep(250)
}

export const startClients = (address: string): Clients => {
  const url = new URL(address)
  const running = new AbortController()
  const plan: readonly [string, string, Act][] = [
    ['deep pages', '127.0.0.11', deepPages],
    ['long keys', '127.0.0.12', longKeys],
    ['sockets', '127.0.0.13', sockets(url, '127.0.0.13')],
    ['agents', '127.0.0.14', agents],
    ['good reader', '127.0.0.15', reader],
  ]
  const senders = plan.map(([name, from]) => createSender(url, name, from))
  const loops = plan.map(async ([, , act], at) => {
    const sender = senders[at]
    for (let turn = 0; sender && !running.signal.aborted; turn++) {
      await act(sender, turn)
      await sleep(20)
    }
  })
  return {
    statuses: new Map(senders.map(({ name, statuses }) => [name, statuses])),
    stop: async () => {
      running.abort()
      await Promise.all(loops)
      for (const { agent } of senders) agent.destroy()
    },
  }
}
