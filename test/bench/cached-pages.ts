// Measures pages per second of a started machine over real sockets, with limiter and metrics: the cost between socket and cache.
// The baseline is a bare node:http server that answers the same bytes with the same header fields. In each of eight cases: direct
// and behind a proxy, IPv4 and IPv6, plain and compressed.
import { get } from 'node:http'
import autocannon from 'autocannon'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { readProcesses } from '../support/process/machine-processes.ts'
import type { ReadyAnswer } from './children/bare-server.ts'
import {
  type BenchContext,
  computeSpread,
  type Finding,
  type Measurement,
  measurePairs,
} from './measure.ts'
import { startBenchChild } from './processes.ts'
import { type Scope, scoped } from './scope.ts'

/** List pages, details and vote pages, of a closed and an open vote; with and without the parameters that are the default. */
const PATHS = [
  '/api/proposals',
  '/api/proposals?page=0',
  '/api/proposals/1',
  '/api/proposals/19',
  '/api/proposals/1/votes',
  '/api/proposals/1/votes?page=0',
  '/api/proposals/19/votes?page=0',
  '/api/pools',
]
/** The chain stands still for a minute, which is enough for ten pairs. */
const MACHINE_ENV = {
  DEMO_BLOCK_MS: '60000',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  MAX_CONNECTIONS_PER_ADDRESS: '10000',
}
const CONNECTIONS = 32
const SECONDS = 2
const CASES = ['direct', 'proxy'].flatMap((way) =>
  ['ipv4', 'ipv6'].flatMap((version) => ['plain', 'gzip'].map((body) => ({ way, version, body }))),
)
type Case = (typeof CASES)[number]
type Headers = Readonly<Record<string, string>>

const HOSTS: Headers = { ipv4: '127.0.0.1', ipv6: '::1' }
const CLIENTS: Headers = { ipv4: '203.0.113.7', ipv6: '2001:db8:1:2::7' }

const createHeaders = ({ way, version, body }: Case): Headers => ({
  ...(way === 'proxy' ? { 'x-forwarded-for': CLIENTS[version] ?? '' } : {}),
  ...(body === 'gzip' ? { 'accept-encoding': 'gzip' } : {}),
})

/** Header fields that the server sets per connection or time. */
const NOT_COPIED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

const copyHeaders = (rawHeaders: readonly string[]): string[] => {
  const copied: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!NOT_COPIED.has(name.toLowerCase())) copied.push(name, value)
  }
  return copied
}

/** As the server sends it: `fetch` would decompress the body. */
const copyPage = (url: string, path: string, headers: Headers): Promise<ReadyAnswer> =>
  new Promise((resolve, reject) => {
    get(url + path, { headers }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString('base64')
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      else resolve({ path, headers: copyHeaders(response.rawHeaders), body })
    }).on('error', reject)
  })

type Server = { url: string; cpuMs: () => Promise<number>; cpuPerPage: number[] }

/** Only the process that answers is measured. */
const startReader = async (scope: Scope, env: Headers): Promise<Server> => {
  const { run, clean } = await createDemoFolder()
  scope.onEnd(clean)
  const machine = run({ env: { ...MACHINE_ENV, ...env } })
  const url = (await machine.untilServing()).replace(/\/$/, '')
  const reader = readProcesses(machine.processes()).filter(({ role }) => role === 'reader')
  const cpuMs = async () => 1_000 * readProcesses(reader.map(({ pid }) => pid))[0]!.cpuSeconds
  return { url, cpuMs, cpuPerPage: [] }
}

const startBareServer = async (scope: Scope, parameters: object): Promise<Server> => {
  const child = startBenchChild(scope, 'bare-server')
  const { url } = await child.ask<{ url: string }>('listen', parameters)
  return { url, cpuMs: () => child.ask<number>('cpuMs'), cpuPerPage: [] }
}

/** Pages per second. Throws if a response is an error, because the figure would be wrong. */
const measureRate = async (server: Server, headers: Headers): Promise<number> => {
  const { url, cpuMs, cpuPerPage } = server
  const beforeMs = await cpuMs()
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers,
    requests: PATHS.map((path) => ({ method: 'GET', path })),
  })
  const errors = result.errors + result.timeouts + result.non2xx
  if (errors > 0) throw new Error(`${errors} responses of ${url} were errors`)
  cpuPerPage.push((((await cpuMs()) - beforeMs) * 1_000) / result['2xx'])
  return result['2xx'] / result.duration
}

const runCase = async (
  one: Case,
  { scope, pairs, log }: Pick<BenchContext, 'scope' | 'pairs' | 'log'>,
): Promise<Finding> => {
  const host = HOSTS[one.version] ?? ''
  const headers = createHeaders(one)
  const env = { HOST: host, ...(one.way === 'proxy' ? { TRUST_PROXY: '1' } : {}) }
  const api = await startReader(scope, env)
  const answers = await Promise.all(PATHS.map((path) => copyPage(api.url, path, headers)))
  const bare = await startBareServer(scope, { answers, host })
  // Warms up both sides.
  for (const server of [api, bare]) await measureRate({ ...server, cpuPerPage: [] }, headers)
  const figures = await measurePairs(
    { subject: () => measureRate(api, headers), baseline: () => measureRate(bare, headers) },
    { pairs, log },
  )
  const [ours, theirs] = [api, bare].map(({ cpuPerPage }) => computeSpread(cpuPerPage).median)
  const bytes = answers.reduce((sum, { body }) => sum + Buffer.byteLength(body, 'base64'), 0)
  return {
    name: `cached-pages-${one.way}-${one.version}-${one.body}`,
    unit: 'pages/s',
    labels: {
      subject: 'a machine, limiter and metrics on',
      baseline: 'node:http answering the same bytes',
    },
    figures,
    target: 0.95,
    notes: [
      `${CONNECTIONS} connections, ${PATHS.length} pages in turn, ${Math.round(bytes / PATHS.length)} bytes each`,
      `CPU of the server per page: ${ours?.toFixed(0)} µs, against ${theirs?.toFixed(0)} µs`,
    ],
  }
}

export const cachedPages: Measurement = {
  name: 'cached-pages',
  question: 'what does the api cost compared with a bare server?',
  run: async ({ pairs, log }) => {
    const findings: Finding[] = []
    for (const one of CASES)
      findings.push(await scoped((scope) => runCase(one, { scope, pairs, log })))
    return findings
  },
}
