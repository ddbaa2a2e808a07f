// Reads the facts of one endpoint, one request after the other, with pauses after a refusal.

import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import {
  GetNodeInfoRequest,
  GetNodeInfoResponse,
} from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { type Answer, isKnown, known, unavailable } from '../../../../ingest/chain/answer.ts'
import { withGovPackage } from '../../../../ingest/chain/gov-package.ts'
import { modernGov } from '../../../../ingest/chain/gov-reader.ts'
import { findGov } from '../../../../ingest/chain/module-presence.ts'
import { ask, type Method } from '../../../../ingest/chain/query.ts'
import { bondedTokensAt } from '../../../../ingest/chain/staking.ts'
import { toEpochMs } from '../../../../ingest/chain/time.ts'
import { createCometClient } from '../../../../ingest/comet/endpoints/comet-client.ts'
import { findLowestKept } from '../../../../ingest/comet/endpoints/lowest-kept.ts'
import type { AbciRequest, NodeStatus } from '../../../../ingest/comet/endpoints/node.ts'
import { decodeStatus } from '../../../../ingest/comet/transport/decode.ts'
import { createMemoryBudget } from '../../../../ingest/comet/transport/memory-budget.ts'
import { createRpcClient, type RpcClient } from '../../../../ingest/comet/transport/rpc.ts'
import type { RpcBlock, RpcStatus } from '../../../../ingest/comet/transport/wire.ts'
import { readLightBlockJson } from '../../../../ingest/comet/verification/light-block.ts'
import { verifySignature } from '../../../../ingest/comet/verification/verify-signature.ts'
import { readLightBlock } from '../../../base/proof/light-block.ts'
import { ProofError } from '../../../base/proof/proof-error.ts'
import { AppError, hasCode } from '../../../base/runtime/errors.ts'
import { createLogger } from '../../../base/runtime/logger.ts'
import type { EndpointFacts } from './facts.ts'
import {
  measurePace,
  type ProbeOptions,
  probeClock,
  probeCompression,
  probeWebsocket,
} from './probes.ts'

const TIMEOUT_MS = 5_000
/** How long a request waits after refusals. */
const PATIENCE_MS = 10_000
const MAX_BYTES_IN_FLIGHT = 256 * 2 ** 20
const CONCURRENT_CALLS = 4
/** The time between blocks is the average of so many. */
const TIMED_BLOCKS = 100

type Call = RpcClient['call']
type Node = Pick<ReturnType<typeof createCometClient>, 'abciQuery'>

/** An outage in the middle of the check leaves one fact unknown. */
const attempt = async <Value>(read: () => Promise<Answer<Value>>): Promise<Answer<Value>> => {
  try {
    return await read()
  } catch (error) {
    const isExpected = error instanceof AppError || error instanceof ProofError
    if (!isExpected || hasCode(error, 'ABORTED')) throw error
    return unavailable(error.message)
  }
}

const nodeInfoMethod: Method<GetNodeInfoRequest, GetNodeInfoResponse> = {
  path: '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo',
  request: GetNodeInfoRequest,
  response: GetNodeInfoResponse,
}

const readApp = async (node: Node): Promise<EndpointFacts['app']> => {
  const answer = await ask(node, nodeInfoMethod, { height: 0 })
  if (!isKnown(answer)) return answer
  const { applicationVersion: app } = answer.value
  return app
    ? known({ name: app.appName, version: app.version, sdkVersion: app.cosmosSdkVersion })
    : unavailable('the node does not report its version')
}

const readBlockSeconds = async (
  call: Call,
  { latestHeight, latestTime, earliestHeight }: NodeStatus,
): Promise<Answer<number>> => {
  const height = Math.max(earliestHeight, latestHeight - TIMED_BLOCKS, 1)
  const { block } = await call<RpcBlock>('block', { height: `${height}` })
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

const readEarliestResults = async (call: Call, range: Range): Promise<Answer<number>> => {
  const lowest = await findLowestKept(range, (height) => hasResults(call, height))
  return lowest === null ? unavailable(`it has none of height ${range.to}`) : known(lowest)
}

const readEarliestState = async (node: Node, range: Range): Promise<Answer<number>> => {
  const latest = await bondedTokensAt(node, range.to)
  if (!isKnown(latest)) return latest
  const hasState = async (height: number) => isKnown(await bondedTokensAt(node, height))
  const lowest = await findLowestKept(range, hasState)
  return lowest === null ? unavailable(`it has none of height ${range.to}`) : known(lowest)
}

const readVerified = async (
  call: Call,
  { chainId, height }: { chainId: string; height: number },
): Promise<Answer<number>> => {
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

const readGov = async (
  comet: Node,
  { clock }: ProbeOptions,
  height: number,
): Promise<EndpointFacts['gov']> => {
  const recorded = withRecordedPackage(comet)
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const node = withGovPackage(recorded, { clock, logger })
  const presence = await findGov(node, height)
  if (presence === 'absent') return known(null)
  if (presence === 'unknown') return unavailable('the node does not return its parameters')
  const pagination = PageRequest.fromPartial({ limit: MAX_LISTED, countTotal: true })
  const query = { height, proposalStatus: VOTING_PERIOD, pagination }
  const open = await ask(node, modernGov.methods.proposals, query)
  if (!isKnown(open)) return known({ package: recorded.name, openVotes: null })
  const total = Number(open.value.pagination?.total ?? 0n)
  return known({ package: recorded.name, openVotes: Math.max(total, open.value.proposals.length) })
}

const TX_INDEX = { on: true, off: false } as const
const readTxIndex = (status: RpcStatus): boolean | undefined => {
  const other = (status.node_info as { other?: { tx_index?: unknown } } | undefined)?.other
  return TX_INDEX[other?.tx_index as keyof typeof TX_INDEX]
}

const createRpc = ({ url, headers, clock }: ProbeOptions): RpcClient =>
  createRpcClient({
    url: url.href,
    headers,
    timeoutMs: TIMEOUT_MS,
    maxConcurrentCalls: CONCURRENT_CALLS,
    patienceMs: PATIENCE_MS,
    budget: createMemoryBudget(MAX_BYTES_IN_FLIGHT),
    clock,
  })

/** Throws the error of the first request if the endpoint is not one. */
export const readFacts = async (options: ProbeOptions): Promise<EndpointFacts> => {
  const { clock, signal } = options
  const rpc = createRpc(options)
  const call: Call = (method, params) => rpc.call(method, params, { signal })
  try {
    const raw = await call<RpcStatus>('status', {})
    const { version: nodeVersion, ...status } = decodeStatus(raw)
    const { chainId, latestHeight: tip, latestTime } = status
    const node = createCometClient(call)
    // The results and the commit of the latest height may not be complete.
    const settled = Math.max(1, tip - 1)
    const range = { from: Math.max(1, status.earliestHeight), to: settled }
    const ageSeconds = (clock.now() - toEpochMs(latestTime)) / 1000
    return {
      chainId,
      nodeVersion,
      tip,
      isCatchingUp: status.catchingUp,
      app: await attempt(() => readApp(node)),
      blockSeconds: await attempt(() => readBlockSeconds(call, status)),
      earliest: {
        block: range.from,
        results: await attempt(() => readEarliestResults(call, range)),
        state: await attempt(() => readEarliestState(node, range)),
      },
      hasTxIndex: readTxIndex(raw),
      gov: await attempt(() => readGov(node, options, settled)),
      verifiedBy: await attempt(() => readVerified(call, { chainId, height: settled })),
      websocket: await probeWebsocket(options),
      isCompressed: await probeCompression(options, settled),
      clock: {
        differenceSeconds: await probeClock(options),
        latestBlockAgeSeconds: Number.isNaN(ageSeconds) ? undefined : ageSeconds,
      },
      refusals: rpc.pace.read().refused,
      pace: await measurePace(options),
    }
  } finally {
    rpc.close()
  }
}
