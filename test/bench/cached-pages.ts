// Measures pages per second of the api over real sockets, with limiter and metrics: the cost between socket and cache.
// The baseline is a bare node:http server that answers the same bytes with the same headers.
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
/** A list page, details and vote pages, of closed and open votes. */
const PATHS = [
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
const SECONDS = 4
const WARM_UP_SECONDS = 3
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

const copyPage = async (agent: WalkingAgent, url: string, path: string): Promise<ReadyAnswer> => {
  const { status, rawHeaders, body } = await agent.get(url + path)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
  return { path, status, headers: copyHeaders(rawHeaders), body: body.toString('base64') }
}

type Loaded = { child: BenchChild; url: string; cpuPerPage: number[] }

const createLoader =
  (directory: string) =>
  async ({ child, url, cpuPerPage }: Loaded, seconds: number): Promise<number> => {
    const beforeMs = await child.ask<number>('cpuMs')
    const rate = await loadServer({
      url,
      paths: PATHS,
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
    const apiChild = startBenchChild(scope, 'api')
    const bareChild = startBenchChild(scope, 'bare-server')
    const { url } = await apiChild.ask<{ url: string }>('start', { access })
    const agent = createWalkingAgent()
    scope.onEnd(agent.close)
    const answers: ReadyAnswer[] = []
    for (const path of PATHS) answers.push(await copyPage(agent, url, path))
    const bytes = answers.reduce((sum, { body }) => sum + Buffer.byteLength(body, 'base64'), 0)
    const bareUrl = (await bareChild.ask<{ url: string }>('listen', { answers })).url
    const api: Loaded = { child: apiChild, url, cpuPerPage: [] }
    const bare: Loaded = { child: bareChild, url: bareUrl, cpuPerPage: [] }
    const load = createLoader(scope.directory('load'))
    for (const side of [api, bare]) await load({ ...side, cpuPerPage: [] }, WARM_UP_SECONDS)
    const measured = await measurePairs(
      { subject: () => load(api, SECONDS), baseline: () => load(bare, SECONDS) },
      { pairs, log },
    )
    return [
      {
        name: 'cached-pages',
        unit: 'pages/s',
        subject: { label: 'the api, limiter and metrics on', figure: measured.subject },
        baseline: { label: 'node:http answering the same bytes', figure: measured.baseline },
        ratio: measured.ratio,
        target: 0.5,
        notes: [
          `load from ${LOAD_GENERATOR}, ${CONNECTIONS} connections, ${PATHS.length} pages in turn, ${Math.round(bytes / PATHS.length)} bytes each`,
          cpuNote(api, bare),
        ],
      },
    ]
  },
}
