// What one node has of a chain, and the RPC methods of CometBFT on it, with the errors of a real node. No transport.
import {
  type AbciResponse,
  FUTURE_HEIGHT,
  toAbciResponse,
} from '../../../../infra/app/chain/query.ts'
import {
  describeRefusal,
  NODE_VERSIONS,
  type RpcForm,
  toBlockJson,
  toBlockResultsJson,
  toHeaderJson,
} from '../nodes/block-json.ts'
import { internalError, type Reply, type RpcCall, RpcFault } from './reply.ts'
import type { ServedChain } from './served-chain.ts'

/** What a node has of a chain, and the version in whose words it says it. */
export type NodeView = {
  readonly chain: ServedChain
  readonly form: RpcForm
  /** At most the tip of the chain. */
  readonly tip: number
  readonly lowest: Readonly<Record<'block' | 'results' | 'state', number>>
}

type Params = RpcCall['params']

const readInteger = (params: Params, name: string): bigint | undefined => {
  const value = params[name] ?? ''
  return value === '' ? undefined : BigInt(String(value))
}

/** The tip by default. */
const readHeight = (params: Params, view: NodeView): number => {
  const { form, tip, lowest } = view
  const requested = readInteger(params, 'height')
  if (requested === undefined) return tip
  if (requested <= 0n) throw internalError(`height must be greater than 0, but got ${requested}`)
  if (requested > BigInt(tip) || requested < BigInt(lowest.block)) {
    throw internalError(describeRefusal(form, requested, { tip, lowest: lowest.block }))
  }
  return Number(requested)
}

const MAX_PER_PAGE = 100

const readPage = <Item>(params: Params, items: readonly Item[]): readonly Item[] => {
  const perPage = Math.min(Number(readInteger(params, 'per_page') ?? 30n), MAX_PER_PAGE)
  const pages = Math.ceil(items.length / perPage)
  const page = Number(readInteger(params, 'page') ?? 1n)
  if (page > pages) throw internalError(`page should be within [1, ${pages}] range, given ${page}`)
  return items.slice((page - 1) * perPage, page * perPage)
}

type Method = (params: Params, view: NodeView) => unknown

const toSyncInfo = (name: 'latest' | 'earliest', { chain }: NodeView, height: number) => {
  const { hash, time } = chain.block(height)
  return {
    [`${name}_block_hash`]: hash,
    [`${name}_app_hash`]: chain.signed?.(height)?.header['app_hash'] ?? '',
    [`${name}_block_height`]: String(height),
    [`${name}_block_time`]: time,
  }
}

const status: Method = (_, view) => {
  const { chain, form, tip, lowest } = view
  return {
    node_info: {
      network: chain.chainId,
      version: NODE_VERSIONS[form],
      protocol_version: { block: '11' },
    },
    sync_info: {
      ...toSyncInfo('latest', view, tip),
      ...toSyncInfo('earliest', view, lowest.block),
      catching_up: false,
    },
    validator_info: { voting_power: '0' },
  }
}

const block: Method = (params, view) => toBlockJson(view.chain, readHeight(params, view))

/** Limit of a node for one response. */
const MAX_HEADERS = 20

const toBlockMeta = (height: number, { chain }: NodeView) => {
  const { block_id, block } = toBlockJson(chain, height)
  return { block_id, header: block.header, num_txs: String(block.data.txs.length) }
}

/** As in CometBFT: newest first, and cut to what the node has. */
const blockchain: Method = (params, view) => {
  const { tip, lowest } = view
  const maxHeight = Math.min(Number(readInteger(params, 'maxHeight')) || tip, tip)
  const minHeight = Math.max(
    Number(readInteger(params, 'minHeight')) || 1,
    lowest.block,
    maxHeight - MAX_HEADERS + 1,
  )
  if (minHeight > maxHeight)
    throw internalError(`min height ${minHeight} can't be greater than max height ${maxHeight}`)
  const heights = Array.from({ length: maxHeight - minHeight + 1 }, (_, at) => maxHeight - at)
  const metas = heights.map((height) => toBlockMeta(height, view))
  return { last_height: String(tip), block_metas: metas }
}

const blockResults: Method = (params, view) => {
  const height = readHeight(params, view)
  if (height < view.lowest.results)
    throw internalError(`could not find results for height #${height}`)
  return toBlockResultsJson(view.chain, height, view.form)
}

/** The commit of a chain without signatures is null. */
const commit: Method = (params, view) => {
  const height = readHeight(params, view)
  const { chain, tip } = view
  const signed = chain.signed?.(height)
  return {
    signed_header: {
      header: signed?.header ?? toHeaderJson(chain, height),
      commit: signed?.commit ?? null,
    },
    canonical: height < tip,
  }
}

const validators: Method = (params, view) => {
  const height = readHeight(params, view)
  const all = view.chain.signed?.(height).validators
  if (!all) throw internalError(`no validators are recorded for height ${height}`)
  const page = readPage(params, all)
  return {
    block_height: String(height),
    validators: page,
    count: String(page.length),
    total: String(all.length),
  }
}

const refuseState = (code: number, log: string, height: bigint): AbciResponse =>
  toAbciResponse({ code, codespace: 'sdk', log, height: String(height) })

export const refuseFutureState = (height: bigint): AbciResponse =>
  refuseState(26, `${FUTURE_HEIGHT}: invalid height`, height)

/** What the chain has and the node has not is refused by the node. */
const abciQuery: Method = async (params, { chain, tip, lowest }) => {
  const height = readInteger(params, 'height') || BigInt(tip)
  if (height > BigInt(tip) && height <= BigInt(chain.tip)) {
    return { response: refuseFutureState(height) }
  }
  if (height < BigInt(lowest.state)) {
    const log = `failed to load state at height ${height}; version does not exist`
    return { response: refuseState(38, `${log} (latest height: ${tip}): not found`, height) }
  }
  const request = {
    path: String(params['path'] ?? ''),
    data: Buffer.from(String(params['data'] ?? ''), 'hex'),
    height,
    prove: params['prove'] === true,
  }
  return { response: await chain.query(request) }
}

const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    status,
    block,
    blockchain,
    block_results: blockResults,
    commit,
    validators,
    abci_query: abciQuery,
  }),
)

/** An error that is not one of the RPC is a defect and is thrown. */
export const answerCall = async (view: NodeView, { method, params }: RpcCall): Promise<Reply> => {
  const run = METHODS.get(method)
  if (!run) return { error: new RpcFault(-32601, 'Method not found') }
  try {
    return { result: await run(params, view) }
  } catch (error) {
    if (error instanceof RpcFault) return { error }
    throw error
  }
}
