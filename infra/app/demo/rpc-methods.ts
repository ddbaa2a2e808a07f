// The RPC methods of CometBFT on a recording, with the checks, errors and formats of a real node. No transport.
import type { AbciRequest } from '../chain/served-chain.ts'
import { answerFromRecording } from './recorded-queries.ts'
import type { Recording } from './recording.ts'

/** The visible chain: everything up to `height()`. */
export type ReplayedChain = { recording: Recording; height(): number }

export class RpcFault extends Error {
  override readonly name = 'RpcFault'
  readonly code: number
  readonly data: string | undefined
  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const internalError = (data: string): RpcFault =>
  new RpcFault(-32603, 'Internal error', data)
export const invalidParams = (reason: string): RpcFault =>
  new RpcFault(-32602, 'Invalid params', `error converting json params to arguments: ${reason}`)

const GO_ESCAPES = new Map(
  ['<', '>', '&', '\u2028', '\u2029'].map((character) => [
    character,
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ]),
)

/** JSON as Go writes it: safe inside HTML. Recorded texts already have this form. */
export const toGoJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (found) => GO_ESCAPES.get(found) ?? found)

/** Values from JSON, or text from a URI. */
type Params = Readonly<Record<string, unknown>>
/** Returns the text of `result`, so that recorded bytes stay unchanged. */
type Method = { args: readonly string[]; run(params: Params, chain: ReplayedChain): string }

function readInteger(params: Params, name: string): bigint | undefined {
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

function readHeight(params: Params, chain: ReplayedChain): number {
  const requested = readInteger(params, 'height')
  const tip = chain.height()
  if (requested === undefined) return tip
  if (requested <= 0n) throw internalError(`height must be greater than 0, but got ${requested}`)
  if (requested > BigInt(tip)) {
    throw internalError(
      `height ${requested} must be less than or equal to the current blockchain height ${tip}`,
    )
  }
  const { firstHeight } = chain.recording.manifest
  if (requested < BigInt(firstHeight)) {
    throw internalError(`height ${requested} is not available, lowest height is ${firstHeight}`)
  }
  return Number(requested)
}

// biome-ignore lint/suspicious/noExplicitAny: a recorded block as JSON; a few of its fields are read
const parseBlock = (chain: ReplayedChain, height: number): any =>
  JSON.parse(chain.recording.block(height).block)

function status(chain: ReplayedChain): string {
  const { nodeInfo, validatorInfo, firstHeight } = chain.recording.manifest
  const latest = parseBlock(chain, chain.height())
  const earliest = parseBlock(chain, firstHeight)
  return toGoJson({
    node_info: nodeInfo,
    sync_info: {
      latest_block_hash: latest.block_id.hash,
      latest_app_hash: latest.block.header.app_hash,
      latest_block_height: latest.block.header.height,
      latest_block_time: latest.block.header.time,
      earliest_block_hash: earliest.block_id.hash,
      earliest_app_hash: earliest.block.header.app_hash,
      earliest_block_height: earliest.block.header.height,
      earliest_block_time: earliest.block.header.time,
      catching_up: false,
    },
    validator_info: validatorInfo,
  })
}

/** The commit of a block is in the next block; the last recorded block has none. */
function commit(chain: ReplayedChain, height: number): string {
  const { header } = parseBlock(chain, height).block
  if (height >= chain.recording.manifest.lastHeight) {
    throw internalError(`no commit is recorded for height ${height}`)
  }
  const next = parseBlock(chain, height + 1).block.last_commit
  return toGoJson({
    signed_header: { header, commit: next },
    canonical: height < chain.height(),
  })
}

const DEFAULT_PER_PAGE = 30n
const MAX_PER_PAGE = 100n

/** A page of the recorded set, as a real node returns it. */
function validators(params: Params, chain: ReplayedChain): string {
  const height = readHeight(params, chain)
  const { manifest, proofs } = chain.recording
  const recorded = proofs()?.validators(height - manifest.firstHeight)
  if (recorded === undefined) throw internalError(`no validators are recorded for height ${height}`)
  const all: { validators: unknown[]; total: string } = JSON.parse(recorded)
  const requested = readInteger(params, 'per_page') ?? DEFAULT_PER_PAGE
  const perPage =
    requested < 1n ? DEFAULT_PER_PAGE : requested > MAX_PER_PAGE ? MAX_PER_PAGE : requested
  const pages = (BigInt(all.total) - 1n) / perPage + 1n
  const page = readInteger(params, 'page') ?? 1n
  if (page < 1n || page > pages) {
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`)
  }
  const from = Number((page - 1n) * perPage)
  const shown = all.validators.slice(from, from + Number(perPage))
  return toGoJson({ ...all, validators: shown, count: `${shown.length}` })
}

function abciInfo(chain: ReplayedChain): string {
  const height = chain.height()
  const { abciInfo: recorded } = chain.recording.manifest
  // The app hash of a height is in its results, as hex there and as base64 here.
  const results = JSON.parse(chain.recording.block(height).blockResults)
  return toGoJson({
    response: {
      ...recorded,
      last_block_height: String(height),
      last_block_app_hash: results.app_hash,
    },
  })
}

function abciQuery(params: Params, chain: ReplayedChain): string {
  const data = params['data'] ?? ''
  if (typeof data !== 'string' || !/^([0-9a-f]{2})*$/i.test(data)) {
    throw invalidParams('encoding/hex: invalid byte')
  }
  const request: AbciRequest = {
    path: String(params['path'] ?? ''),
    data: Buffer.from(data, 'hex'),
    height: readInteger(params, 'height') ?? 0n,
    prove: params['prove'] === true || params['prove'] === 'true',
  }
  const { recording } = chain
  return toGoJson({ response: answerFromRecording(request, { recording, tip: chain.height() }) })
}

const NET_INFO = { listening: true, listeners: ['Listener(@)'], n_peers: '0', peers: [] }

const METHODS: Record<string, Method> = {
  health: { args: [], run: () => '{}' },
  status: { args: [], run: (_, chain) => status(chain) },
  net_info: { args: [], run: () => toGoJson(NET_INFO) },
  block: {
    args: ['height'],
    run: (params, chain) => chain.recording.block(readHeight(params, chain)).block,
  },
  block_results: {
    args: ['height'],
    run: (params, chain) => chain.recording.block(readHeight(params, chain)).blockResults,
  },
  header: {
    args: ['height'],
    run: (params, chain) => {
      const { header } = parseBlock(chain, readHeight(params, chain)).block
      return toGoJson({ header })
    },
  },
  commit: { args: ['height'], run: (params, chain) => commit(chain, readHeight(params, chain)) },
  validators: { args: ['height', 'page', 'per_page'], run: validators },
  abci_info: { args: [], run: (_, chain) => abciInfo(chain) },
  abci_query: { args: ['path', 'data', 'height', 'prove'], run: abciQuery },
}

export const METHOD_ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(METHODS).map(([name, { args }]) => [name, args]),
)

/** Returns the text of `result`; throws `RpcFault`. */
export function callMethod(name: string, params: unknown, chain: ReplayedChain): string {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
  if (!method) throw new RpcFault(-32601, 'Method not found')
  return method.run(toNamed(params, method.args), chain)
}

/** JSON-RPC takes arguments by name or in order. */
function toNamed(params: unknown, args: readonly string[]): Params {
  if (params === undefined || params === null) return {}
  if (!Array.isArray(params)) return params as Params
  if (params.length > args.length) {
    throw invalidParams(`expected ${args.length} parameters, got ${params.length}`)
  }
  return Object.fromEntries(params.map((value, index) => [args[index] ?? '', value]))
}
