// The RPC methods of CometBFT on what a node has of a chain. No transport.
import { type AbciResponse, FUTURE_HEIGHT, toAbciResponse } from '../served-chain.ts'
import { toBlockJson, toBlockResultsJson, toHeaderJson } from './block-json.ts'
import { NODE_VERSIONS } from './forms.ts'
import type { NodeView } from './node-view.ts'
import { readBytes, readHeight, readInteger, readPage } from './parameters.ts'
import { internalError, type Reply, type RpcCall, RpcFault } from './reply.ts'

type Params = RpcCall['params']
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
  const { chain, form, tip, lowest } = view
  const nodeInfo = {
    network: chain.chainId,
    version: NODE_VERSIONS[form],
    protocol_version: { block: '11' },
  }
  return {
    result: {
      node_info: chain.recorded?.nodeInfo ?? nodeInfo,
      sync_info: {
        ...toSyncInfo('latest', view, tip),
        ...toSyncInfo('earliest', view, lowest.block),
        catching_up: false,
      },
      validator_info: chain.recorded?.validatorInfo ?? { voting_power: '0' },
    },
  }
}

const block = (params: Params, view: NodeView): Reply => {
  const height = readHeight(params, view)
  const { chain } = view
  if (chain.recorded) return { text: chain.recorded.texts(height).block }
  return { result: toBlockJson(chain, height) }
}

/** Limit of a node for one response. */
const MAX_HEADERS = 20

const toBlockMeta = (height: number, { chain }: NodeView) => {
  const text = chain.recorded?.texts(height).block
  const { block_id, block } = text ? JSON.parse(text) : toBlockJson(chain, height)
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
  const { chain, form, lowest } = view
  if (height < lowest.results) throw internalError(`could not find results for height #${height}`)
  if (chain.recorded) return { text: chain.recorded.texts(height).blockResults }
  return { result: toBlockResultsJson(chain, height, form) }
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
        header: signed?.header ?? toHeaderJson(chain, height),
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

const abciInfo = ({ chain, tip }: NodeView): Reply => {
  // The app hash of a height is in its results, as hex there and as base64 here.
  const hash = chain.recorded && JSON.parse(chain.recorded.texts(tip).blockResults).app_hash
  const response = {
    ...(chain.recorded?.abciInfo ?? { data: 'simulated' }),
    last_block_height: String(tip),
    last_block_app_hash: hash,
  }
  return { result: { response } }
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

const NET_INFO = { listening: true, listeners: ['Listener(@)'], n_peers: '0', peers: [] }

const METHODS: Record<string, Method> = {
  health: { args: [], run: () => ({ result: {} }) },
  status: { args: [], run: (_, view) => status(view) },
  net_info: { args: [], run: () => ({ result: NET_INFO }) },
  block: { args: ['height'], run: block },
  blockchain: { args: ['minHeight', 'maxHeight'], run: blockchain },
  block_results: { args: ['height'], run: blockResults },
  header: {
    args: ['height'],
    run: (params, view) => ({
      result: { header: toHeaderJson(view.chain, readHeight(params, view)) },
    }),
  },
  commit: { args: ['height'], run: commit },
  validators: { args: ['height', 'page', 'per_page'], run: validators },
  abci_info: { args: [], run: (_, view) => abciInfo(view) },
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
