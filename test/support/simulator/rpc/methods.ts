// What one node has of a chain, and the RPC methods of CometBFT on it, with the checks and errors of a real node. No transport.

import {
  type AbciResponse,
  FUTURE_HEIGHT,
  toAbciResponse,
} from '../../../../infra/app/chain/query.ts'
import {
  internalError,
  invalidParams,
  type Reply,
  type RpcCall,
  RpcFault,
  readResult,
} from './reply.ts'
import type { ServedChain } from './served-chain.ts'

/** The RPC's texts of what a chain has. */
export type ChainWriter = {
  /** The `result` of `block` and of `block_results`. */
  block(view: NodeView, height: number): Reply
  blockResults(view: NodeView, height: number): Reply
  header(view: NodeView, height: number): object
  /** What the node says of itself in `status`. */
  about(view: NodeView): Record<'nodeInfo' | 'validatorInfo', object>
}

export type NodeView = {
  readonly chain: ServedChain
  readonly write: ChainWriter
  /** In the words of another version than CometBFT 0.38. */
  readonly refuseHeight?: (height: bigint, range: { tip: number; lowest: number }) => string
  /** At most the tip of the chain. */
  readonly tip: number
  readonly lowest: Readonly<Record<'block' | 'results' | 'state', number>>
}

type Params = RpcCall['params']

const readInteger = (params: Params, name: string): bigint | undefined => {
  const value = params[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') {
    const said = JSON.stringify(JSON.stringify(value))
    throw invalidParams(`invalid 64-bit integer encoding ${said}, expected string`)
  }
  if (!/^-?\d{1,19}$/.test(value)) {
    throw invalidParams(`invalid character '${value[0]}' looking for beginning of value`)
  }
  return BigInt(value)
}

const describeRefusal: NonNullable<NodeView['refuseHeight']> = (height, { tip, lowest }) =>
  height > BigInt(tip)
    ? `height ${height} must be less than or equal to the current blockchain height ${tip}`
    : `height ${height} is not available, lowest height is ${lowest}`

/** The tip by default. */
const readHeight = (params: Params, view: NodeView): number => {
  const { tip, lowest, refuseHeight = describeRefusal } = view
  const requested = readInteger(params, 'height')
  if (requested === undefined) return tip
  if (requested <= 0n) throw internalError(`height must be greater than 0, but got ${requested}`)
  if (requested > BigInt(tip) || requested < BigInt(lowest.block)) {
    throw internalError(refuseHeight(requested, { tip, lowest: lowest.block }))
  }
  return Number(requested)
}

const readBytes = (params: Params, name: string): Buffer => {
  const value = params[name] ?? ''
  if (typeof value !== 'string' || !/^([0-9a-f]{2})*$/i.test(value)) {
    throw invalidParams('encoding/hex: invalid byte')
  }
  return Buffer.from(value, 'hex')
}

const DEFAULT_PER_PAGE = 30n
const MAX_PER_PAGE = 100n

const readPage = <Item>(params: Params, items: readonly Item[]): readonly Item[] => {
  const requested = readInteger(params, 'per_page') ?? DEFAULT_PER_PAGE
  const perPage =
    requested < 1n ? DEFAULT_PER_PAGE : requested > MAX_PER_PAGE ? MAX_PER_PAGE : requested
  const pages = (BigInt(items.length) - 1n) / perPage + 1n
  const page = readInteger(params, 'page') ?? 1n
  if (page < 1n || page > pages) {
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`)
  }
  const from = Number((page - 1n) * perPage)
  return items.slice(from, from + Number(perPage))
}

type Method = {
  args: readonly string[]
  run(params: Params, view: NodeView): Reply | Promise<Reply>
}

const toSyncInfo = (name: 'latest' | 'earliest', { chain }: NodeView, height: number) => {
  const { hash, time } = chain.block(height)
  return {
    [`${name}_block_hash`]: hash,
    [`${name}_app_hash`]: chain.signed?.(height)?.header['app_hash'] ?? '',
    [`${name}_block_height`]: String(height),
    [`${name}_block_time`]: time,
  }
}

const status = (view: NodeView): Reply => {
  const { tip, lowest, write } = view
  const { nodeInfo, validatorInfo } = write.about(view)
  return {
    result: {
      node_info: nodeInfo,
      sync_info: {
        ...toSyncInfo('latest', view, tip),
        ...toSyncInfo('earliest', view, lowest.block),
        catching_up: false,
      },
      validator_info: validatorInfo,
    },
  }
}

const block = (params: Params, view: NodeView): Reply =>
  view.write.block(view, readHeight(params, view))

/** Limit of a node for one response. */
const MAX_HEADERS = 20

const toBlockMeta = (height: number, view: NodeView) => {
  const { block_id, block } = readResult(view.write.block(view, height))
  return { block_id, header: block.header, num_txs: String(block.data.txs?.length ?? 0) }
}

/** As in CometBFT: newest first, and cut to what the node has. */
const blockchain = (params: Params, view: NodeView): Reply => {
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
  return { result: { last_height: String(tip), block_metas: metas } }
}

const blockResults = (params: Params, view: NodeView): Reply => {
  const height = readHeight(params, view)
  if (height < view.lowest.results)
    throw internalError(`could not find results for height #${height}`)
  return view.write.blockResults(view, height)
}

/** The commit of a chain without signatures is null. */
const commit = (params: Params, view: NodeView): Reply => {
  const height = readHeight(params, view)
  const { chain } = view
  const signed = chain.signed?.(height)
  if (chain.signed && !signed?.commit)
    throw internalError(`no commit is recorded for height ${height}`)
  return {
    result: {
      signed_header: {
        header: signed?.header ?? view.write.header(view, height),
        commit: signed?.commit ?? null,
      },
      canonical: height < view.tip,
    },
  }
}

const validators = (params: Params, view: NodeView): Reply => {
  const height = readHeight(params, view)
  const all = view.chain.signed?.(height)?.validators
  if (!all) throw internalError(`no validators are recorded for height ${height}`)
  const page = readPage(params, all)
  return {
    result: {
      block_height: String(height),
      validators: page,
      count: String(page.length),
      total: String(all.length),
    },
  }
}

const refuseState = (code: number, log: string, height: bigint): AbciResponse =>
  toAbciResponse({ code, codespace: 'sdk', log, height: String(height) })

export const refuseFutureState = (height: bigint): AbciResponse =>
  refuseState(26, `${FUTURE_HEIGHT}: invalid height`, height)

/** What the chain has and the node has not is refused by the node. */
const abciQuery = async (params: Params, { chain, tip, lowest }: NodeView): Promise<Reply> => {
  const request = {
    path: String(params['path'] ?? ''),
    data: readBytes(params, 'data'),
    height: readInteger(params, 'height') || BigInt(tip),
    prove: params['prove'] === true || params['prove'] === 'true',
  }
  const { height } = request
  if (height > BigInt(tip) && height <= BigInt(chain.tip)) {
    return { result: { response: refuseFutureState(height) } }
  }
  if (height > 0n && height < BigInt(lowest.state)) {
    const log = `failed to load state at height ${height}; version does not exist`
    const response = refuseState(38, `${log} (latest height: ${tip}): not found`, height)
    return { result: { response } }
  }
  return { result: { response: await chain.query(request) } }
}

const METHODS: Record<string, Method> = {
  status: { args: [], run: (_, view) => status(view) },
  block: { args: ['height'], run: block },
  blockchain: { args: ['minHeight', 'maxHeight'], run: blockchain },
  block_results: { args: ['height'], run: blockResults },
  commit: { args: ['height'], run: commit },
  validators: { args: ['height', 'page', 'per_page'], run: validators },
  abci_query: { args: ['path', 'data', 'height', 'prove'], run: abciQuery },
}

export const METHOD_ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(METHODS).map(([name, { args }]) => [name, args]),
)

/** An error that is not one of the RPC is a defect and is thrown. */
export const answerCall = async (view: NodeView, { method, params }: RpcCall): Promise<Reply> => {
  const known = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  if (!known) return { error: new RpcFault(-32601, 'Method not found') }
  try {
    return await known.run(params, view)
  } catch (error) {
    if (error instanceof RpcFault) return { error }
    throw error
  }
}
