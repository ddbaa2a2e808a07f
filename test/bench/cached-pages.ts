// Measures pages per second of the api over real sockets, with limiter and metrics: the cost between socket and cache.
// The baselines are bare node:http servers that answer the same bytes: one with the same header fields, one with two of them. In each of
// eight cases: direct and behind a proxy, IPv4 and IPv6, plain and compressed.
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { createWalkingAgent, type WalkingAgent } from './agent.ts'
import { type BenchChild, startBenchChild } from './child.ts'
import type { ReadyAnswer } from './children/bare-server.ts'
import type { StoreAccess } from './children/projection.ts'
import { startFilledStore } from './filled-store.ts'
import { LOAD_GENERATOR, loadServer } from './load.ts'
import { computeSpread, type Finding, measurePairs } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'
import type { Scope } from './scope.ts'

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
type Baseline = { suffix: string; label: string; isCopied: (name: string) => boolean }

/** Header fields that the server sets per connection or time. */
const NOT_COPIED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

const BASELINES: readonly Baseline[] = [
  {
    suffix: '',
    label: 'node:http answering the same bytes',
    isCopied: (name) => !NOT_COPIED.has(name),
  },
  {
    suffix: '-two-fields',
    label: 'node:http answering the same body with two fields',
    isCopied: (name) => name === 'content-type' || name === 'content-length',
  },
]

const copyHeaders = (
  rawHeaders: readonly string[],
  isCopied: (name: string) => boolean,
): string[] => {
  const copied: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (isCopied(name.toLowerCase())) copied.push(name, value)
  }
  return copied
}

const copyPage = async (
  agent: WalkingAgent,
  url: string,
  { path, headers, isCopied }: Pick<Baseline, 'isCopied'> & { path: string; headers: Headers },
): Promise<ReadyAnswer> => {
  const { status, rawHeaders, body } = await agent.get(url + path, headers)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
  return { path, status, headers: copyHeaders(rawHeaders, isCopied), body: body.toString('base64') }
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

type Run = Pick<BenchContext, 'scope' | 'pairs' | 'log'> & { access: StoreAccess }

const startBare = async (
  { scope, url, headers }: { scope: Scope; url: string; headers: Headers },
  { isCopied, host }: Baseline & { host: string },
): Promise<Loaded & { bytes: number }> => {
  const agent = createWalkingAgent()
  const answers: ReadyAnswer[] = []
  for (const path of PATHS) answers.push(await copyPage(agent, url, { path, headers, isCopied }))
  agent.close()
  const child = startBenchChild(scope, 'bare-server')
  const bytes = answers.reduce((sum, { body }) => sum + Buffer.byteLength(body, 'base64'), 0)
  const listening = await child.ask<{ url: string }>('listen', { answers, host })
  return { child, url: listening.url, cpuPerPage: [], bytes }
}

const runCase = async (one: Case, { scope, pairs, log, access }: Run): Promise<Finding[]> => {
  const host = HOSTS[one.version] ?? ''
  const headers = createHeaders(one)
  const apiChild = startBenchChild(scope, 'api')
  const env = { HOST: host, ...(one.way === 'proxy' ? { TRUST_PROXY: '1' } : {}) }
  const { url } = await apiChild.ask<{ url: string }>('start', { access, env })
  const load = createLoader(scope.directory('load'), headers)
  const findings: Finding[] = []
  for (const baseline of BASELINES) {
    const api: Loaded = { child: apiChild, url, cpuPerPage: [] }
    const bare = await startBare({ scope, url, headers }, { ...baseline, host })
    for (const side of [api, bare]) await load({ ...side, cpuPerPage: [] }, WARM_UP_SECONDS)
    const measured = await measurePairs(
      { subject: () => load(api, SECONDS), baseline: () => load(bare, SECONDS) },
      { pairs, log },
    )
    await bare.child.stop()
    const bytes = Math.round(bare.bytes / PATHS.length)
    findings.push({
      name: `cached-pages-${one.way}-${one.version}-${one.body}${baseline.suffix}`,
      unit: 'pages/s',
      subject: { label: 'the api, limiter and metrics on', figure: measured.subject },
      baseline: { label: baseline.label, figure: measured.baseline },
      ratio: measured.ratio,
      target: baseline.suffix === '' ? 0.95 : null,
      notes: [
        `load from ${LOAD_GENERATOR}, ${CONNECTIONS} connections, ${PATHS.length} pages in turn, ${bytes} bytes each`,
        cpuNote(api, bare),
      ],
    })
  }
  await apiChild.stop()
  return findings
}

export const cachedPages: Measurement = {
  name: 'cached-pages',
  question: 'what does the api cost compared with a bare server?',
  run: async ({ scope, pairs, log }) => {
    const { access } = await startFilledStore(scope, CHAIN)
    const findings: Finding[] = []
    for (const one of CASES) findings.push(...(await runCase(one, { scope, pairs, log, access })))
    return findings
  },
}
