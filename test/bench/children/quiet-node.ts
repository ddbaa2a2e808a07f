// Runs a node of quiet blocks in its own process. It answers single calls and batches from prepared bytes, with what ingest asks.
import { text } from 'node:stream/consumers'
import { answerQuery } from '../../../infra/app/chain/query.ts'
import { startServer } from '../../support/http/server.ts'
import { createRandom } from '../../support/log/governance-story.ts'
import { createSimulatedQuery } from '../../support/simulator/queries/simulated.ts'
import { type ChainState, chainParams } from '../../support/simulator/state/chain-state.ts'
import { createView } from '../../support/simulator/state/simulated-view.ts'
import { CHAIN_ID, createHubBlocks, type HubBlocks, timeAt, VALIDATORS } from '../hub-blocks.ts'
import { takeOrders } from './orders.ts'

/** The limit of `/blockchain` in CometBFT. */
const MAX_METAS = 20

const createState = (): ChainState => {
  const random = createRandom(5)
  const pools = Array.from({ length: VALIDATORS }, (_, at) => {
    const tokens = 10n ** 12n + BigInt(random(10 ** 9))
    return [`pool ${at}`, { tokens, status: 3, jailed: false }] as const
  })
  return {
    proposals: new Map(),
    votes: new Map(),
    pools: new Map(pools),
    delegations: new Map(),
    params: chainParams(),
    maxPools: VALIDATORS,
    pageSize: 100,
  }
}

type Params = Readonly<Record<string, string | number | undefined>>
type Parts = readonly Buffer[]

const json = (value: unknown): Parts => [Buffer.from(JSON.stringify(value))]
const COMMA = Buffer.from(',')

const createStatus = ({ firstHeight, lastHeight, hashAt }: HubBlocks): Parts => {
  const syncInfo = (name: string, height: number) => ({
    [`${name}_block_hash`]: hashAt(height),
    [`${name}_app_hash`]: 'AB'.repeat(32),
    [`${name}_block_height`]: `${height}`,
    [`${name}_block_time`]: timeAt(height),
  })
  return json({
    node_info: { network: CHAIN_ID, version: '0.38.21', protocol_version: { block: '11' } },
    sync_info: {
      ...syncInfo('latest', lastHeight),
      ...syncInfo('earliest', firstHeight),
      catching_up: false,
    },
    validator_info: { voting_power: '0' },
  })
}

const createMethods = (blocks: HubBlocks): Readonly<Record<string, (params: Params) => Parts>> => {
  const { firstHeight, lastHeight } = blocks
  const view = createView(createState())
  const status = createStatus(blocks)
  const readHeight = ({ height }: Params): number => Number(height) || lastHeight
  return {
    status: () => status,
    block_results: (params) => blocks.blockResults(readHeight(params)),
    commit: (params) => json(blocks.commit(readHeight(params))),
    blockchain: ({ minHeight, maxHeight }) => {
      const max = Math.min(Number(maxHeight) || lastHeight, lastHeight)
      const min = Math.max(Number(minHeight) || 1, firstHeight, max - MAX_METAS + 1)
      const metas: Buffer[] = []
      for (let height = max; height >= min; height--) {
        metas.push(...blocks.meta(height))
        if (height > min) metas.push(COMMA)
      }
      const head = Buffer.from(`{"last_height":"${lastHeight}","block_metas":[`)
      return [head, ...metas, Buffer.from(']}')]
    },
    validators: (params) => {
      const perPage = Number(params['per_page']) || 30
      const from = ((Number(params['page']) || 1) - 1) * perPage
      const page = blocks.validators.slice(from, from + perPage)
      return json({
        block_height: `${readHeight(params)}`,
        validators: page,
        count: `${page.length}`,
        total: `${blocks.validators.length}`,
      })
    },
    abci_query: (params) => {
      const path = String(params['path'] ?? '')
      const data = Buffer.from(String(params['data'] ?? ''), 'hex')
      const request = { path, data, height: BigInt(readHeight(params)), prove: false }
      const chain = { tip: lastHeight, stateAt: () => view }
      const findQuery = () => createSimulatedQuery(path)
      return json({ response: answerQuery(request, { ...chain, findQuery }) })
    },
  }
}

type Call = { id?: unknown; method: string; params?: Params }

const createAnswer = (methods: ReturnType<typeof createMethods>) => {
  const answerCall = ({ id, method, params = {} }: Call): Parts => {
    const run = methods[method]
    if (!run) throw new Error(`this node has no ${method}`)
    const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`)
    return [head, ...run(params), Buffer.from('}')]
  }
  return (body: string): Buffer => {
    const calls = JSON.parse(body) as Call | Call[]
    if (!Array.isArray(calls)) return Buffer.concat(answerCall(calls))
    const parts = calls.flatMap((each, at) => [...(at > 0 ? [COMMA] : []), ...answerCall(each)])
    return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')])
  }
}

let close = async (): Promise<void> => {}

const start = async ({ heights }: { heights: number }) => {
  const blocks = createHubBlocks(heights)
  const answer = createAnswer(createMethods(blocks))
  // Without a websocket ingest polls.
  const server = await startServer(async (request, response) => {
    const body = answer(await text(request))
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
    })
    response.end(body)
  })
  close = server.close
  const { firstHeight, lastHeight } = blocks
  return { url: server.url, firstHeight, lastHeight }
}

takeOrders({ start }, () => close())
