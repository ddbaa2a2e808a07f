// Runs a node of quiet blocks in its own process. It answers from prepared bytes, as CometBFT does: single calls, batches, and GET.
import { createServer, type IncomingMessage } from 'node:http'
import { answerQuery } from '../../../infra/app/chain/query.ts'
import { listeningUrl } from '../../../infra/base/runtime/ports.ts'
import { createRandom } from '../../support/chain/synthetic-parts.ts'
import { createSimulatedQuery } from '../../support/simulator/queries/simulated.ts'
import { refuseUpgrade } from '../../support/simulator/rpc/server.ts'
import {
  type ChainState,
  chainParams,
  proposalAt,
  toTimestamp,
  voteBy,
} from '../../support/simulator/state/chain-state.ts'
import { createView } from '../../support/simulator/state/simulated-view.ts'
import { CHAIN_ID, createHubBlocks, type HubBlocks, timeAt, VALIDATORS } from '../hub-blocks.ts'
import { takeOrders } from './orders.ts'

/** `hasVote`: one vote is open at every height, and every third block has events of staking. */
type Parameters = { heights: number; hasVote: boolean }

const VOTERS = 200
const MAX_BATCH = 10
const MAX_METAS = 20
const DEFAULT_PER_PAGE = 30
const MAX_PER_PAGE = 100

const createState = ({ hasVote }: Parameters, { firstHeight }: HubBlocks): ChainState => {
  const random = createRandom(5)
  const voters = Array.from({ length: hasVote ? VOTERS : 0 }, (_, at) => `voter ${at}`)
  const delegations = new Map(
    voters.map((voter) => {
      const pools = [`pool ${random(VALIDATORS)}`, `pool ${random(VALIDATORS)}`]
      return [voter, new Map(pools.map((pool) => [pool, BigInt(1 + random(10 ** 9))]))]
    }),
  )
  const pools = Array.from({ length: VALIDATORS }, (_, at) => {
    const tokens = 10n ** 12n + BigInt(random(10 ** 9))
    return [`pool ${at}`, { tokens, status: 3, jailed: false }] as const
  })
  const proposal = {
    ...proposalAt('900', 1, 2),
    votingStartTime: toTimestamp(timeAt(firstHeight - 10_000)),
    votingEndTime: toTimestamp(timeAt(firstHeight + 1_000_000)),
  }
  return {
    proposals: new Map(hasVote ? [['900', proposal]] : []),
    votes: new Map([['900', voters.map((voter, at) => voteBy('900', voter, 1 + (at % 4)))]]),
    pools: new Map(pools),
    delegations,
    params: chainParams(),
    maxPools: VALIDATORS,
    pageSize: 100,
  }
}

type Params = Readonly<Record<string, unknown>>
type Parts = readonly Buffer[]

/** The error of a call: its code, its message, and what Go says about it. */
class Refusal extends Error {
  readonly body: object
  constructor(code: number, message: string, data?: string) {
    super(message)
    this.body = { code, message, data }
  }
}

const internal = (data: string) => new Refusal(-32603, 'Internal error', data)

const readNumber = (params: Params, name: string, otherwise: number): number => {
  const value = params[name] ?? ''
  return value === '' ? otherwise : Number(value)
}

const json = (value: unknown): Parts => [Buffer.from(JSON.stringify(value))]
const COMMA = Buffer.from(',')

/** The limits of `/blockchain` in CometBFT: at most 20 headers, the newest ones. */
const readRange = (params: Params, { firstHeight, lastHeight }: HubBlocks) => {
  const asked = [readNumber(params, 'minHeight', 0), readNumber(params, 'maxHeight', 0)] as const
  if (asked.some((height) => height < 0)) throw internal('heights must be non-negative')
  const max = Math.min(asked[1] || lastHeight, lastHeight)
  const min = Math.max(asked[0] || 1, firstHeight, max - MAX_METAS + 1)
  if (min > max) throw internal(`min height ${min} can't be greater than max height ${max}`)
  return { min, max }
}

const createMethods = (blocks: HubBlocks, parameters: Parameters) => {
  const { firstHeight, lastHeight } = blocks
  const view = createView(createState(parameters, blocks))
  const readHeight = (params: Params): number => {
    const height = readNumber(params, 'height', lastHeight)
    if (height > lastHeight) {
      const limit = `must be less than or equal to the current blockchain height ${lastHeight}`
      throw internal(`height ${height} ${limit}`)
    }
    if (height < firstHeight) {
      throw internal(`height ${height} is not available, lowest height is ${firstHeight}`)
    }
    return height
  }
  const syncInfo = (name: string, height: number) => ({
    [`${name}_block_hash`]: blocks.hashAt(height),
    [`${name}_app_hash`]: 'AB'.repeat(32),
    [`${name}_block_height`]: `${height}`,
    [`${name}_block_time`]: blocks.timeAt(height),
  })
  const status = json({
    node_info: { network: CHAIN_ID, version: '0.38.21', protocol_version: { block: '11' } },
    sync_info: {
      ...syncInfo('latest', lastHeight),
      ...syncInfo('earliest', firstHeight),
      catching_up: false,
    },
    validator_info: { voting_power: '0' },
  })
  /** The state is the same at every height: each query is answered once. */
  const answers = new Map<string, object>()
  const query = (params: Params): Parts => {
    const [path, data] = [String(params['path'] ?? ''), String(params['data'] ?? '')]
    const height = readNumber(params, 'height', 0) || lastHeight
    const request = { path, data: Buffer.from(data, 'hex'), height: BigInt(height), prove: false }
    const answer = () =>
      answerQuery(request, {
        tip: lastHeight,
        stateAt: () => view,
        findQuery: () => createSimulatedQuery(path),
      })
    const key = `${path} ${data}`
    const known = height <= lastHeight ? (answers.get(key) ?? answer()) : answer()
    if (height <= lastHeight) answers.set(key, known)
    return json({ response: { ...known, height: `${height}` } })
  }
  const validators = (params: Params): Parts => {
    const perPage = Math.min(readNumber(params, 'per_page', DEFAULT_PER_PAGE), MAX_PER_PAGE)
    const from = (readNumber(params, 'page', 1) - 1) * perPage
    const page = blocks.validators.slice(from, from + perPage)
    return json({
      block_height: `${readHeight(params)}`,
      validators: page,
      count: `${page.length}`,
      total: `${blocks.validators.length}`,
    })
  }
  const blockchain = (params: Params): Parts => {
    const { min, max } = readRange(params, blocks)
    const metas: Buffer[] = []
    for (let height = max; height >= min; height--) {
      metas.push(...blocks.meta(height))
      if (height > min) metas.push(COMMA)
    }
    const head = Buffer.from(`{"last_height":"${lastHeight}","block_metas":[`)
    return [head, ...metas, Buffer.from(']}')]
  }
  return new Map<string, (params: Params) => Parts>([
    ['health', () => json({})],
    ['status', () => status],
    ['block', (params) => blocks.block(readHeight(params))],
    ['block_results', (params) => blocks.blockResults(readHeight(params))],
    ['blockchain', blockchain],
    ['commit', (params) => json(blocks.commit(readHeight(params)))],
    ['validators', validators],
    ['abci_query', query],
  ])
}

type Call = { id?: unknown; method?: unknown; params?: Params }
type Answer = { status: number; parts: Parts }

const answerError = (id: unknown, error: unknown): Parts => {
  if (!(error instanceof Refusal)) throw error
  return json({ jsonrpc: '2.0', id, error: error.body })
}

const createAnswer = (methods: ReturnType<typeof createMethods>) => {
  const call = ({ id, method, params = {} }: Call): Parts => {
    try {
      const run = methods.get(String(method))
      if (!run) throw new Refusal(-32601, 'Method not found')
      const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`)
      return [head, ...run(params), Buffer.from('}')]
    } catch (error) {
      return answerError(id, error)
    }
  }
  const batch = (calls: readonly Call[]): Answer => {
    if (calls.length > MAX_BATCH) {
      const reason = `too many requests: max_request_batch_size ${MAX_BATCH}`
      const refusal = new Refusal(-32600, 'Invalid Request', reason)
      return { status: 500, parts: answerError(undefined, refusal) }
    }
    const parts = calls.flatMap((each, at) => [...(at > 0 ? [COMMA] : []), ...call(each)])
    return { status: 200, parts: [Buffer.from('['), ...parts, Buffer.from(']')] }
  }
  const get = (url: string): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://node')
    const params = [...searchParams].map(([name, value]) => [name, value.replace(/^"|"$/g, '')])
    const parts = call({ id: -1, method: pathname.slice(1), params: Object.fromEntries(params) })
    return { status: 200, parts }
  }
  return ({ method, url = '/' }: IncomingMessage, body: string): Answer => {
    if (method !== 'POST') return get(url)
    const asked = JSON.parse(body) as Call | Call[]
    return Array.isArray(asked) ? batch(asked) : { status: 200, parts: call(asked) }
  }
}

let close = (): void => {}

const start = async (parameters: Parameters) => {
  const blocks = createHubBlocks({ ...parameters, hasStaking: parameters.hasVote })
  const answer = createAnswer(createMethods(blocks, parameters))
  const server = createServer((request, response) => {
    const received: Buffer[] = []
    request.on('data', (part: Buffer) => received.push(part))
    request.on('end', () => {
      const { status, parts } = answer(request, Buffer.concat(received).toString('utf8'))
      const body = Buffer.concat(parts)
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': body.length,
      })
      response.end(body)
    })
  })
  // Without a websocket ingest polls.
  server.on('upgrade', (_request, connection) => refuseUpgrade(connection))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => server.close()
  const { firstHeight, lastHeight } = blocks
  const bytes = (parts: Parts) => parts.reduce((sum, part) => sum + part.length, 0)
  return {
    url: listeningUrl(server),
    firstHeight,
    lastHeight,
    blockBytes: bytes(blocks.block(firstHeight)),
    resultsBytes: bytes(blocks.blockResults(firstHeight)),
  }
}

takeOrders({ start }, () => close())
