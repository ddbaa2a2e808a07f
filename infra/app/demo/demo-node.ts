// The demo chain node: serves the recording over the RPC of CometBFT, in POST requests and with headers on a websocket, and adds block
// after block. It stops at the last recorded height, and never restarts from the beginning.
import { createServer, type IncomingMessage } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock, systemClock } from '../../base/runtime/clock.ts'
import { listeningUrl } from '../../base/runtime/ports.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { answerFromRecording } from './recorded-queries.ts'
import { openRecording, type Recording, requireSameChain } from './recording.ts'

/** Number of last blocks of the recording that are added live. */
const LIVE_BLOCKS = 150
const DEFAULT_BLOCK_MS = 1_000

export type DemoNodeOptions = {
  recording: Recording
  /** 0, the default, selects a free port. */
  port?: number
  host?: string
  /** Blocks that are present at the start; by default all except the last 150. */
  preload?: number
  /** Time between two later blocks. */
  blockMs?: number
  clock?: Clock
}

export type DemoNode = {
  url: string
  chainId: string
  /** The newest visible height. */
  height(): number
  close(): Promise<void>
}

type Params = Readonly<Record<string, string | boolean | undefined>>
type Chain = { recording: Recording; tip: number }

const MESSAGES: Readonly<Record<number, string>> = {
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
}

class RpcFault extends Error {
  override readonly name = 'RpcFault'
  readonly code: number
  constructor(data: string, code = -32603) {
    super(data)
    this.code = code
  }
}

/** The tip by default. */
const readHeight = ({ height }: Params, { recording, tip }: Chain): number => {
  const { firstHeight } = recording.manifest
  if (height === undefined) return tip
  if (typeof height !== 'string' || !/^\d{1,15}$/.test(height)) {
    throw new RpcFault('invalid height', -32602)
  }
  if (Number(height) > tip) {
    throw new RpcFault(
      `height ${height} must be less than or equal to the current blockchain height ${tip}`,
    )
  }
  if (Number(height) >= firstHeight) return Number(height)
  throw new RpcFault(`height ${height} is not available, lowest height is ${firstHeight}`)
}

const readBlock = ({ recording }: Chain, height: number) =>
  JSON.parse(recording.block(height).block)

const toSyncInfo = (name: 'latest' | 'earliest', chain: Chain, height: number) => {
  const { block_id, block } = readBlock(chain, height)
  return {
    [`${name}_block_hash`]: block_id.hash,
    [`${name}_app_hash`]: block.header.app_hash,
    [`${name}_block_height`]: String(height),
    [`${name}_block_time`]: block.header.time,
  }
}

/** Limit of a node for one response. */
const MAX_HEADERS = 20

/** As in CometBFT: newest first, and cut to what the node has. */
const listHeaders = ({ minHeight, maxHeight }: Params, chain: Chain) => {
  const { firstHeight } = chain.recording.manifest
  const highest = Math.min(Number(maxHeight) || chain.tip, chain.tip)
  const lowest = Math.max(Number(minHeight) || 1, firstHeight, highest - MAX_HEADERS + 1)
  const heights = Array.from({ length: highest - lowest + 1 }, (_, at) => highest - at)
  const metas = heights.map((height) => {
    const { block_id, block } = readBlock(chain, height)
    return { block_id, header: block.header, num_txs: String(block.data.txs?.length ?? 0) }
  })
  return { last_height: String(chain.tip), block_metas: metas }
}

/** The commit of a block is in the next block. */
const readCommit = (params: Params, chain: Chain) => {
  const height = readHeight(params, chain)
  const { tip, recording } = chain
  if (height === recording.manifest.lastHeight) {
    throw new RpcFault(`no commit is recorded for height ${height}`)
  }
  const { header } = readBlock(chain, height).block
  const commit = readBlock(chain, height + 1).block.last_commit
  return { signed_header: { header, commit }, canonical: height < tip }
}

const MAX_PER_PAGE = 100

const listValidators = (params: Params, chain: Chain) => {
  const height = readHeight(params, chain)
  const { recording } = chain
  const recorded = recording.proofs()?.validators(height - recording.manifest.firstHeight)
  if (recorded === undefined) throw new RpcFault(`no validators are recorded for height ${height}`)
  const all: object[] = JSON.parse(recorded).validators
  const perPage = Math.min(Number(params['per_page'] ?? 30), MAX_PER_PAGE)
  const from = (Number(params['page'] ?? 1) - 1) * perPage
  const validators = all.slice(from, from + perPage)
  const [count, total] = [String(validators.length), String(all.length)]
  return { block_height: String(height), validators, count, total }
}

const queryState = (params: Params, { recording, tip }: Chain) => {
  const { path = '', data = '', height = '0', prove } = params
  const request = {
    path: String(path),
    data: Buffer.from(String(data), 'hex'),
    height: BigInt(height) || BigInt(tip),
    prove: prove === true,
  }
  return { response: answerFromRecording(request, { recording, tip }) }
}

/** Each returns the text of a result: blocks and their results are those of the recorded node, byte for byte. */
const METHODS: Readonly<Record<string, (params: Params, chain: Chain) => string>> = {
  status: (_, chain) => {
    const { nodeInfo, validatorInfo, firstHeight } = chain.recording.manifest
    return JSON.stringify({
      node_info: nodeInfo,
      sync_info: {
        ...toSyncInfo('latest', chain, chain.tip),
        ...toSyncInfo('earliest', chain, firstHeight),
        catching_up: false,
      },
      validator_info: validatorInfo,
    })
  },
  block: (params, chain) => chain.recording.block(readHeight(params, chain)).block,
  block_results: (params, chain) => chain.recording.block(readHeight(params, chain)).blockResults,
  blockchain: (params, chain) => JSON.stringify(listHeaders(params, chain)),
  commit: (params, chain) => JSON.stringify(readCommit(params, chain)),
  validators: (params, chain) => JSON.stringify(listValidators(params, chain)),
  abci_query: (params, chain) => JSON.stringify(queryState(params, chain)),
}

type RpcCall = { id?: unknown; method?: unknown; params?: unknown }

const answerCall = ({ id, method, params }: RpcCall, chain: Chain): string => {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)}`
  try {
    const name = String(method)
    const run = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
    if (!run) throw new RpcFault(name, -32601)
    return `${start},"result":${run((params ?? {}) as Params, chain)}}`
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error
    const { code, message: data } = error
    return `${start},"error":${JSON.stringify({ code, message: MESSAGES[code], data })}}`
  }
}

const MAX_BODY_BYTES = 1_000_000

const answerBody = async (
  request: IncomingMessage,
  chain: Chain,
): Promise<{ status: number; text: string }> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BODY_BYTES) return { status: 413, text: '' }
    parts.push(part)
  }
  let calls: RpcCall | RpcCall[]
  try {
    calls = JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    return { status: 400, text: '' }
  }
  const text = Array.isArray(calls)
    ? `[${calls.map((call) => answerCall(call, chain)).join(',')}]`
    : answerCall(calls, chain)
  return { status: 200, text }
}

/** Sends the header of each new block to every client that has subscribed, whatever the query is. */
const createHeaderNotices = (chain: Chain) => {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES })
  /** The ID of the subscription of each client. */
  const subscribers = new Map<WebSocket, unknown>()
  const send = (socket: WebSocket, id: unknown, result: object): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      try {
        const { id, method } = JSON.parse(String(data)) as RpcCall
        if (method === 'subscribe') subscribers.set(socket, id)
        send(socket, id, {})
      } catch {
        socket.terminate()
      }
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => subscribers.delete(socket))
  })
  return {
    server,
    announce: (): void => {
      const value = { header: readBlock(chain, chain.tip).block.header }
      const result = { data: { type: 'tendermint/event/NewBlockHeader', value } }
      for (const [socket, id] of subscribers) send(socket, id, result)
    },
    close: (): void => {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

export async function startDemoNode(options: DemoNodeOptions): Promise<DemoNode> {
  const { recording, blockMs = DEFAULT_BLOCK_MS, clock = systemClock } = options
  const { chainId, firstHeight, lastHeight } = recording.manifest
  const { preload = lastHeight - LIVE_BLOCKS - firstHeight + 1 } = options
  const tip = Math.min(lastHeight, Math.max(firstHeight, firstHeight + preload - 1))
  const chain: Chain = { recording, tip }
  const notices = createHeaderNotices(chain)
  const server = createServer(async (request, response) => {
    try {
      const { status, text } = await answerBody(request, chain)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined)
    }
  })
  server.on('upgrade', (request, connection, head) =>
    notices.server.handleUpgrade(request, connection, head, (socket) =>
      notices.server.emit('connection', socket, request),
    ),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const stopping = new AbortController()
  const makeBlocks = async () => {
    while (chain.tip < lastHeight) {
      await clock.sleep(blockMs, stopping.signal)
      chain.tip++
      notices.announce()
    }
  }
  // Ends at the last height, or by `close`, which rejects the sleep.
  const growing = makeBlocks().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  return {
    url: listeningUrl(server) ?? '',
    chainId,
    height: () => chain.tip,
    close: async () => {
      stopping.abort()
      await growing
      notices.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * The demo chain of one machine: its tip is never below the last block in the log. Most blocks, and all indexed ones, exist at the
 * start; the others follow one by one. Throws `CHAIN_MISMATCH` if the log is of another recording or chain.
 */
export async function startDemoChain(options: {
  blockMs: number
  /** Undefined for that of Rollcall. */
  recordingDir: string | undefined
  indexed: IndexedBlock | undefined
}): Promise<DemoNode> {
  const { indexed, blockMs, recordingDir } = options
  const recording = openRecording(recordingDir)
  if (indexed) requireSameChain(recording, indexed)
  const { firstHeight, lastHeight } = recording.manifest
  const firstTip = Math.max(lastHeight - LIVE_BLOCKS, indexed?.height ?? 0)
  return await startDemoNode({ recording, blockMs, preload: firstTip - firstHeight + 1 })
}
