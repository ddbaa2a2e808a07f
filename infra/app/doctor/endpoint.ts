// What one endpoint is and has. Facts are read one after the other, each once, when a row of the diagnosis asks for it.
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import {
  GetNodeInfoRequest,
  GetNodeInfoResponse,
} from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { WebSocket } from 'ws'
import { type Answer, isKnown, known, unavailable } from '../../../ingest/chain/answer.ts'
import { proposalList } from '../../../ingest/chain/gov.ts'
import { withGovPackage } from '../../../ingest/chain/gov-package.ts'
import { findGov } from '../../../ingest/chain/module-presence.ts'
import { ask, type Method } from '../../../ingest/chain/query.ts'
import { bondedTokensAt } from '../../../ingest/chain/staking.ts'
import { toEpochMs } from '../../../ingest/chain/time.ts'
import type { AbciRequest, NodeStatus } from '../../../ingest/comet/endpoints/node.ts'
import { findLowestKept } from '../../../ingest/comet/endpoints/window.ts'
import { createCometClient } from '../../../ingest/comet/transport/abci-answer.ts'
import { decodeStatus } from '../../../ingest/comet/transport/decode.ts'
import { type Headers, USER_AGENT } from '../../../ingest/comet/transport/http-post.ts'
import { createMemoryBudget } from '../../../ingest/comet/transport/memory-budget.ts'
import { createRpcClient, type RpcClient } from '../../../ingest/comet/transport/rpc.ts'
import type { RpcBlock, RpcStatus } from '../../../ingest/comet/transport/wire.ts'
import { readLightBlockJson } from '../../../ingest/comet/verification/light-block.ts'
import { verifySignature } from '../../../ingest/comet/verification/verify-signature.ts'
import { readLightBlock } from '../../base/proof/light-block.ts'
import { ProofError } from '../../base/proof/proof-error.ts'
import { abortedError } from '../../base/runtime/abort.ts'
import type { Clock } from '../../base/runtime/clock.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES_IN_FLIGHT = 256 * 2 ** 20
const CONCURRENT_CALLS = 4
/** The time between blocks is the average of so many. */
const TIMED_BLOCKS = 100

export type EndpointOptions = {
  url: URL
  /** Of the settings, such as a key. */
  headers?: Headers | undefined
  /** How long a request is repeated after refusals. */
  patienceMs: number
  signal: AbortSignal
  clock: Clock
}

type Call = RpcClient['call']
type Node = Pick<ReturnType<typeof createCometClient>, 'abciQuery'>

/** Reads a fact once. An outage in the middle of the check leaves it unknown. */
const once = <Value>(read: () => Promise<Answer<Value>>): (() => Promise<Answer<Value>>) => {
  const attempt = async (): Promise<Answer<Value>> => {
    try {
      return await read()
    } catch (error) {
      const isExpected = error instanceof AppError || error instanceof ProofError
      if (!isExpected || hasCode(error, 'ABORTED')) throw error
      return unavailable(error.message)
    }
  }
  let found: Promise<Answer<Value>> | undefined
  return () => {
    found ??= attempt()
    return found
  }
}

const nodeInfoMethod: Method<GetNodeInfoRequest, GetNodeInfoResponse> = {
  path: '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo',
  request: GetNodeInfoRequest,
  response: GetNodeInfoResponse,
}

const readApp = async (node: Node) => {
  const answer = await ask(node, nodeInfoMethod, { height: 0 })
  if (!isKnown(answer)) return answer
  const { applicationVersion: app } = answer.value
  return app ? known(app) : unavailable('the node does not report its version')
}

const readBlock = (call: Call, height: number) => call<RpcBlock>('block', { height: `${height}` })

/** Average of the last heights. */
const readBlockSeconds = async (
  call: Call,
  { latestHeight, latestTime, earliestHeight }: NodeStatus,
): Promise<Answer<number>> => {
  const height = Math.max(earliestHeight, latestHeight - TIMED_BLOCKS, 1)
  const { block } = await readBlock(call, height)
  const seconds = (toEpochMs(latestTime) - toEpochMs(block?.header?.time ?? '')) / 1000
  return seconds > 0
    ? known(seconds / (latestHeight - height))
    : unavailable('there are too few blocks')
}

/** Below the tip, a refusal of any kind means that the height is not kept. */
const hasResults = async (call: Call, height: number): Promise<boolean> => {
  try {
    await call('block_results', { height: `${height}` })
    return true
  } catch (error) {
    if (hasCode(error, 'HEIGHT_UNAVAILABLE') || hasCode(error, 'RPC_REFUSED')) return false
    throw error
  }
}

type Range = { from: number; to: number }

const lowestIn = async (
  range: Range,
  isKept: (height: number) => Promise<boolean>,
): Promise<Answer<number>> => {
  const lowest = await findLowestKept(range, isKept)
  return lowest === null ? unavailable(`it has none of height ${range.to}`) : known(lowest)
}

const readEarliestState = async (node: Node, range: Range): Promise<Answer<number>> => {
  const latest = await bondedTokensAt(node, range.to)
  if (!isKnown(latest)) return latest
  return lowestIn(range, async (height) => isKnown(await bondedTokensAt(node, height)))
}

/** The number of validators whose signatures of a header are right. */
const readVerified = async (call: Call, chainId: string, height: number) => {
  const json = await readLightBlockJson({ call }, BigInt(height))
  const { validators } = readLightBlock(json, chainId, { path: 'header', verifySignature })
  return known(validators.length)
}

const GOV_PATH = /^\/(.*gov)\.v1(?:beta1)?\.Query\/Params$/
const VOTING_PERIOD = 2
const MAX_LISTED = 100n

/** Records the package that has the parameters. */
const withRecordedPackage = (node: Node) => {
  const recorded = {
    name: '',
    abciQuery: async (request: AbciRequest) => {
      const answer = await node.abciQuery(request)
      const name = GOV_PATH.exec(request.path)?.[1]
      if (name !== undefined && answer.kind === 'value') recorded.name = name
      return answer
    },
  }
  return recorded
}

/** Null if the chain has no x/gov. */
type GovFact = { package: string; openVotes: number | null } | null

const readGov = async (comet: Node, clock: Clock, height: number): Promise<Answer<GovFact>> => {
  const recorded = withRecordedPackage(comet)
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const node = withGovPackage(recorded, { clock, logger })
  const presence = await findGov(node, height)
  if (presence === 'absent') return known(null)
  if (presence === 'unknown') return unavailable('the node does not return its parameters')
  const pagination = PageRequest.fromPartial({ limit: MAX_LISTED, countTotal: true })
  const query = { height, proposalStatus: VOTING_PERIOD, pagination }
  const open = await ask(node, proposalList.v1, query)
  if (!isKnown(open)) return known({ package: recorded.name, openVotes: null })
  const total = Number(open.value.pagination?.total ?? 0n)
  return known({ package: recorded.name, openVotes: Math.max(total, open.value.proposals.length) })
}

const probeWebsocket = async ({ url, headers, signal }: EndpointOptions): Promise<Answer<true>> => {
  if (signal.aborted) throw abortedError(signal)
  const target = new URL(url)
  target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  target.pathname = `${target.pathname.replace(/\/$/, '')}/websocket`
  const socket = new WebSocket(target, {
    headers: { 'user-agent': USER_AGENT, ...headers },
    handshakeTimeout: TIMEOUT_MS,
  })
  return await new Promise<Answer<true>>((resolve) => {
    socket.on('open', () => resolve(known(true)))
    socket.on('unexpected-response', (_, { statusCode }) =>
      resolve(unavailable(`HTTP status ${statusCode}`)),
    )
    socket.on('error', ({ message }) => resolve(unavailable(message)))
  }).finally(() => socket.terminate())
}

/** The clock of the endpoint minus the own one, in seconds. Its `Date` has whole seconds. */
const probeClock = async (options: EndpointOptions): Promise<Answer<number>> => {
  const { url, headers, signal, clock } = options
  const sentMs = clock.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      body: '{"jsonrpc":"2.0","id":1,"method":"health","params":{}}',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const middleMs = (sentMs + clock.now()) / 2
    await response.body?.cancel()
    const dateMs = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(dateMs)) return known((dateMs + 500 - middleMs) / 1000)
  } catch {
    if (signal.aborted) throw abortedError(signal)
  }
  return unavailable('it sends no Date')
}

export type Endpoint = Awaited<ReturnType<typeof openEndpoint>>

/** Throws the error of the first request if the endpoint is not one. */
export async function openEndpoint(options: EndpointOptions) {
  const { url, headers, patienceMs, clock, signal } = options
  const rpc = createRpcClient({
    url: url.href,
    headers,
    timeoutMs: TIMEOUT_MS,
    maxConcurrentCalls: CONCURRENT_CALLS,
    budget: createMemoryBudget(MAX_BYTES_IN_FLIGHT),
    clock,
  })
  const refused = { ...policies.chainRead(patienceMs), clock, signal }
  const call: Call = (method, params) =>
    retry(() => rpc.call(method, params, { signal }), {
      ...refused,
      when: ({ code }) => code === 'RPC_LIMITED',
    })
  try {
    const { version: nodeVersion, ...status } = decodeStatus(await call<RpcStatus>('status', {}))
    const { chainId, latestHeight: tip } = status
    const node = createCometClient(call)
    // The results and the commit of the latest height may not be complete.
    const settled = Math.max(1, tip - 1)
    const range = { from: Math.max(1, status.earliestHeight), to: settled }
    const results = (height: number) => hasResults(call, height)
    return {
      chainId,
      nodeVersion,
      tip,
      isCatchingUp: status.catchingUp,
      earliestBlock: range.from,
      latestBlockAgeSeconds: (clock.now() - toEpochMs(status.latestTime)) / 1000,
      app: once(() => readApp(node)),
      blockSeconds: once(() => readBlockSeconds(call, status)),
      hashAt: async (height: number) => (await readBlock(call, height)).block_id?.hash,
      stateAt: (height: number) => bondedTokensAt(node, height),
      earliestResults: once(() => lowestIn(range, results)),
      earliestState: once(() => readEarliestState(node, range)),
      gov: once(() => readGov(node, clock, settled)),
      verifiedBy: once(() => readVerified(call, chainId, settled)),
      websocket: once(() => probeWebsocket(options)),
      clockDifference: once(() => probeClock(options)),
      close: rpc.close,
    }
  } catch (error) {
    rpc.close()
    throw error
  }
}
