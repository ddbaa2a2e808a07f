// Measures pages per second of the api over real sockets, with limiter and metrics: the cost between socket and cache.
// The baseline is a bare node:http server that answers the same bytes with the same headers. In each of eight cases: direct and behind a
// proxy, IPv4 and IPv6, plain and compressed.
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { createWalkingAgent, type WalkingAgent } from './agent.ts'
import { type BenchChild, startBenchChild } from './child.ts'
import type { ReadyAnswer } from './children/bare-server.ts'
import { startFilledStore } from './filled-store.ts'
import { LOAD_GENERATOR, loadServer } from './load.ts'
import { computeSpread, measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'

const CHAIN: SyntheticChainOptions = {
  proposals: 40,
  strideHeights: 50,
  votingHeights: 200,
  votesPerHeight: 2,
  pools: 150,
  operatorsVote: true,
  voters: 5_000,
  poolsReadEvery: 100,
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
const WARM_UP_SECONDS = 2
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

const copyPage = async (
  agent: WalkingAgent,
  url: string,
  { path, headers }: { path: string; headers: Headers },
): Promise<ReadyAnswer> => {
  const { status, rawHeaders, body } = await agent.get(url + path, headers)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
  return { path, status, headers: copyHeaders(rawHeaders), body: body.toString('base64') }
}

type Loaded = { child: BenchChild; url: string; cpuPerPage: number[] }

const createLoader =
  (directory: string, headers: Headers) =>
  async ({ child, url, cpuPerPage }: Loaded, seconds: number): Promise<number> => {
    const beforeMs = await child.ask<number>('cpuMs')
    const rate = await loadServer({
      url,
      paths: PATHS,
      headers,
      connections: CONNECTIONS,
      seconds,
      directory,
    })
    const usedMs = (await child.ask<number>('cpuMs')) - beforeMs
    cpuPerPage.push((usedMs * 1000) / (rate * seconds))
    return rate
  }

const cpuNote = (api: Loaded, bare: Loaded): string => {
  const [ours, theirs] = [api, bare].map(({ cpuPerPage }) => computeSpread(cpuPerPage).median)
  return `CPU of the server per page: ${ours?.toFixed(0)} µs, against ${theirs?.toFixed(0)} µs`
}

export const cachedPages: Measurement = {
  name: 'cached-pages',
  question: 'what does the api cost compared with a bare server?',
  run: async ({ scope, pairs, log }) => {
    const { access } = await startFilledStore(scope, CHAIN)
    const results = []
    for (const one of CASES) {
      const name = `cached-pages-${one.way}-${one.version}-${one.body}`
      const host = HOSTS[one.version] ?? ''
      const headers = createHeaders(one)
      const apiChild = startBenchChild(scope, 'api')
      const bareChild = startBenchChild(scope, 'bare-server')
      const env = { HOST: host, ...(one.way === 'proxy' ? { TRUST_PROXY: '1' } : {}) }
      const { url } = await apiChild.ask<{ url: string }>('start', { access, env })
      const agent = createWalkingAgent()
      const answers: ReadyAnswer[] = []
      for (const path of PATHS) answers.push(await copyPage(agent, url, { path, headers }))
      agent.close()
      const bytes = answers.reduce((sum, { body }) => sum + Buffer.byteLength(body, 'base64'), 0)
      const bareUrl = (await bareChild.ask<{ url: string }>('listen', { answers, host })).url
      const api: Loaded = { child: apiChild, url, cpuPerPage: [] }
      const bare: Loaded = { child: bareChild, url: bareUrl, cpuPerPage: [] }
      const load = createLoader(scope.directory('load'), headers)
      for (const side of [api, bare]) await load({ ...side, cpuPerPage: [] }, WARM_UP_SECONDS)
      const measured = await measurePairs(
        { subject: () => load(api, SECONDS), baseline: () => load(bare, SECONDS) },
        { pairs, log },
      )
      await Promise.all([apiChild.stop(), bareChild.stop()])
      results.push({
        name,
        unit: 'pages/s',
        subject: { label: 'the api, limiter and metrics on', figure: measured.subject },
        baseline: { label: 'node:http answering the same bytes', figure: measured.baseline },
        ratio: measured.ratio,
        target: 0.95,
        notes: [
          `load from ${LOAD_GENERATOR}, ${CONNECTIONS} connections, ${PATHS.length} pages in turn, ${Math.round(bytes / PATHS.length)} bytes each`,
          cpuNote(api, bare),
        ],
      })
    }
    return results
  },
}
