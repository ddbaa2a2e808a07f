// Measures pages per second of the api over real sockets, with limiter and metrics: the cost between socket and cache.
// The baseline is a bare node:http server that answers the same bytes with the same header fields. In each of eight cases: direct
// and behind a proxy, IPv4 and IPv6, plain and compressed.
import autocannon from 'autocannon'
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { createWalkingAgent } from './agent.ts'
import type { ReadyAnswer } from './children/bare-server.ts'
import type { StoreAccess } from './children/projection.ts'
import {
  type BenchContext,
  computeSpread,
  type Finding,
  type Measurement,
  measurePairs,
} from './measure.ts'
import { type BenchChild, startBenchChild, startClickHouse } from './processes.ts'
import type { Scope } from './scope.ts'

const CHAIN: SyntheticChainOptions = {
  proposals: 40,
  strideHeights: 50,
  votingHeights: 200,
  voters: 5_000,
}
/** List pages, details and vote pages, of closed and open votes; with and without the parameters that are the default. */
const PATHS = [
  '/api/proposals',
  '/api/proposals?page=0',
  '/api/proposals?page=1',
  '/api/proposals/40',
  '/api/proposals/20',
  '/api/proposals/40/votes?page=0',
  '/api/proposals/40/votes?page=1',
  '/api/proposals/20/votes?page=0',
  '/api/proposals/20/votes?page=1',
]
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

const copyPages = async (url: string, headers: Headers): Promise<ReadyAnswer[]> => {
  const agent = createWalkingAgent()
  const answers: ReadyAnswer[] = []
  for (const path of PATHS) {
    const { status, rawHeaders, body } = await agent.get(url + path, headers)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
    answers.push({ path, headers: copyHeaders(rawHeaders), body: body.toString('base64') })
  }
  agent.close()
  return answers
}

type Server = { child: BenchChild; url: string; cpuPerPage: number[] }

/** Pages per second. Throws if a response is an error, because the figure would be wrong. */
const measureRate = async (server: Server, headers: Headers): Promise<number> => {
  const { child, url, cpuPerPage } = server
  const beforeMs = await child.ask<number>('cpuMs')
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers,
    requests: PATHS.map((path) => ({ method: 'GET', path })),
  })
  const errors = result.errors + result.timeouts + result.non2xx
  if (errors > 0) throw new Error(`${errors} responses of ${url} were errors`)
  cpuPerPage.push((((await child.ask<number>('cpuMs')) - beforeMs) * 1_000) / result['2xx'])
  return result['2xx'] / result.duration
}

type Run = Pick<BenchContext, 'scope' | 'pairs' | 'log'> & { access: StoreAccess }

const runCase = async (one: Case, { scope, pairs, log, access }: Run): Promise<Finding> => {
  const host = HOSTS[one.version] ?? ''
  const headers = createHeaders(one)
  const start = async (name: string, order: string, parameters: object): Promise<Server> => {
    const child = startBenchChild(scope, name)
    const { url } = await child.ask<{ url: string }>(order, parameters)
    return { child, url, cpuPerPage: [] }
  }
  const env = { HOST: host, ...(one.way === 'proxy' ? { TRUST_PROXY: '1' } : {}) }
  const api = await start('api', 'start', { access, env })
  const answers = await copyPages(api.url, headers)
  const bare = await start('bare-server', 'listen', { answers, host })
  // Warms up both sides.
  for (const server of [api, bare]) await measureRate({ ...server, cpuPerPage: [] }, headers)
  const figures = await measurePairs(
    { subject: () => measureRate(api, headers), baseline: () => measureRate(bare, headers) },
    { pairs, log },
  )
  const [ours, theirs] = [api, bare].map(({ cpuPerPage }) => computeSpread(cpuPerPage).median)
  for (const { child } of [api, bare]) await child.stop()
  const bytes = answers.reduce((sum, { body }) => sum + Buffer.byteLength(body, 'base64'), 0)
  return {
    name: `cached-pages-${one.way}-${one.version}-${one.body}`,
    unit: 'pages/s',
    labels: {
      subject: 'the api, limiter and metrics on',
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

/** The store of a synthetic history, projected by the real projections. */
const fillStore = async (scope: Scope): Promise<StoreAccess> => {
  const { access } = await startClickHouse(scope)
  const filler = startBenchChild(scope, 'projection')
  await filler.ask('prepare', { access, directory: scope.directory('log'), chain: CHAIN })
  await filler.ask('project', { isRecorded: false })
  await filler.stop()
  return access
}

export const cachedPages: Measurement = {
  name: 'cached-pages',
  question: 'what does the api cost compared with a bare server?',
  run: async ({ scope, pairs, log }) => {
    const access = await fillStore(scope)
    const findings: Finding[] = []
    for (const one of CASES) findings.push(await runCase(one, { scope, pairs, log, access }))
    return findings
  },
}
