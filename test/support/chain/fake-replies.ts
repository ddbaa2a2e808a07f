// The responses of the fake node to each RPC method, including faults in the content of a response.
import type { ProofOp } from '../../../ingest/contract/proof-events.ts'
import type { FakeChain } from './fake-chain.ts'
import type { Faults } from './fake-faults.ts'
import { type Era, wireBlock, wireBlockResults, wireHeader, wireStatus } from './fake-wire.ts'

export type FakeAbciRequest = { path: string; data: Uint8Array; height: number }
export type FakeAbciAnswer =
  | { value: Uint8Array; proofOps?: readonly ProofOp[] | undefined }
  | { code: number; codespace?: string; log: string }

export type RpcCall = { id: number | string; method: string; params: Record<string, string> }
export type Reply = { result: unknown } | { error: string }

export const toEnvelope = (id: RpcCall['id'], reply: Reply): string => {
  const outcome =
    'error' in reply
      ? { error: { code: -32603, message: 'Internal error', data: reply.error } }
      : { result: reply.result }
  return JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
}

/** The parts of a fake node. `tip` is the reported tip, which may differ from the tip of the chain. */
export type FakeNodeState = {
  chain: FakeChain
  era: Era
  abci: ((request: FakeAbciRequest) => FakeAbciAnswer | Promise<FakeAbciAnswer>) | undefined
  faults: Faults
  tip: () => number
}

const abciReply = async (
  { abci, faults, chain }: FakeNodeState,
  params: RpcCall['params'],
): Promise<Reply> => {
  const height = Number(params['height'] ?? 0)
  const data = Buffer.from(params['data'] ?? '', 'hex')
  const lowest = faults.getHeight('pruned heights') ?? 0
  const answered = String(height || chain.tip)
  const failed = (code: number, log: string, codespace = 'sdk') => ({
    result: { response: { code, codespace, log, value: null, height: answered } },
  })
  if (height > 0 && height < lowest) {
    const why = `failed to load state at height ${height}; version does not exist`
    return failed(38, `${why} (latest height: ${chain.tip})`)
  }
  const answer = await abci?.({ path: params['path'] ?? '', data, height })
  if (!answer) return failed(6, 'unknown query path: unknown request')
  if (!('value' in answer)) return failed(answer.code, answer.log, answer.codespace)
  const value = answer.value.length > 0 ? Buffer.from(answer.value).toString('base64') : null
  const proofOps = params['prove'] && answer.proofOps ? { ops: answer.proofOps } : null
  const response = { code: 0, log: '', codespace: '', value, proofOps, height: answered }
  return { result: { response } }
}

const IMPOSSIBLE_TIMES = [
  '2026-13-45T25:61:61Z',
  '2026-02-30T00:00:00Z',
  '',
  'yesterday',
  '1e9',
  '2026-01-01',
  '+275760-09-13T00:00:00.001Z',
  '2026-01-01T00:00:60Z',
] as const

/** The texts of CometBFT, and those of Sei's Tendermint 0.35. */
const describeNotYet = (era: Era, height: number, tip: number): string =>
  era === 'sei'
    ? `height must be less than or equal to the head of the node's blockchain (requested height: ${height}, blockchain height: ${tip})`
    : `height ${height} must be less than or equal to the current blockchain height ${tip}`
const describeGone = (era: Era, height: number, lowest: number): string =>
  era === 'sei'
    ? `height is not available (requested height: ${height}, base height: ${lowest})`
    : `height ${height} is not available, lowest height is ${lowest}`

const findHeightRefusal = (
  state: FakeNodeState,
  method: string,
  height: number,
): Reply | undefined => {
  const { era, faults, tip } = state
  const lowest = faults.getHeight('pruned heights') ?? state.chain.initialHeight
  if (height > tip()) {
    return method === 'block_results' && era !== 'sei'
      ? { error: `could not find results for height #${height}` }
      : { error: describeNotYet(era, height, tip()) }
  }
  return height < lowest ? { error: describeGone(era, height, lowest) } : undefined
}

const heightReply = (state: FakeNodeState, method: string, height: number): Reply => {
  const { era, faults } = state
  const refused = findHeightRefusal(state, method, height)
  if (refused) return refused
  const forkedFrom = faults.getHeight('forked block') ?? 1
  const isForked = faults.has('forked block') && height >= forkedFrom
  const chain = isForked ? state.chain.forked() : state.chain
  const shown = faults.strikes('skips a height', height) ? Math.max(height - 1, 1) : height
  if (method === 'block') {
    const result = wireBlock(chain, shown)
    const time = IMPOSSIBLE_TIMES[height % IMPOSSIBLE_TIMES.length]!
    if (faults.strikes('impossible time', height)) result.block.header.time = time
    return { result }
  }
  const results = faults.strikes('results of another height', height) ? height - 1 : shown
  return { result: wireBlockResults(state.chain, results, era) }
}

/** The commit of a chain without signed headers has only the header. */
const plainCommitReply = (state: FakeNodeState, height: number): Reply => {
  const refused = findHeightRefusal(state, 'commit', height)
  const header = wireHeader(state.chain, height)
  return refused ?? { result: { signed_header: { header, commit: null }, canonical: true } }
}

const signedReply = (state: FakeNodeState, { method, params }: RpcCall): Reply => {
  const { chain, tip } = state
  const height = Number(params['height'] ?? tip())
  const isSigned = chain.signedAt?.(chain.initialHeight) !== undefined
  if (!isSigned && method === 'commit') return plainCommitReply(state, height)
  const signed = height <= tip() ? chain.signedAt?.(height) : undefined
  if (!signed) return { error: `method ${method} not found for height ${height}` }
  if (method === 'commit') {
    const { header, commit } = signed
    return { result: { signed_header: { header, commit }, canonical: height < tip() } }
  }
  const perPage = Number(params['per_page'] ?? 30)
  const from = (Number(params['page'] ?? 1) - 1) * perPage
  const validators = signed.validators.slice(from, from + perPage)
  const total = `${signed.validators.length}`
  return { result: { block_height: `${height}`, validators, count: `${validators.length}`, total } }
}

export const replyTo = async (
  state: FakeNodeState,
  { method, params }: RpcCall,
): Promise<Reply> => {
  const { chain, era, faults, tip } = state
  switch (method) {
    case 'status': {
      const status = wireStatus(chain, era, tip())
      if (faults.has('wrong chain id')) status.node_info.network = 'another-1'
      return { result: status }
    }
    case 'block':
    case 'block_results': {
      const reply = heightReply(state, method, Number(params['height'] ?? tip()))
      if (method === 'block' && faults.has('wrong chain id') && 'result' in reply) {
        const { block } = reply.result as ReturnType<typeof wireBlock>
        block.header.chain_id = 'another-1'
      }
      return reply
    }
    case 'commit':
    case 'validators':
      return signedReply(state, { id: 0, method, params })
    case 'abci_query':
      return abciReply(state, params)
    default:
      return { error: `method ${method} not found` }
  }
}
