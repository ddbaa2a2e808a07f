// Checks each endpoint of the chain: reachable, right chain, latency, and which heights it keeps.

import { isKnown } from '../../../ingest/chain/answer.ts'
import { withGovPackage } from '../../../ingest/chain/gov-package.ts'
import { findGov } from '../../../ingest/chain/module-presence.ts'
import { bondedTokensAt } from '../../../ingest/chain/staking.ts'
import { endpointNames } from '../../../ingest/comet/endpoints/endpoint-names.ts'
import type { ChainNode, NodeStatus } from '../../../ingest/comet/endpoints/node.ts'
import { createChainNode } from '../../../ingest/comet/endpoints/node-pool.ts'
import type { NodePoolOptions } from '../../../ingest/comet/endpoints/pool.ts'
import { findUnverifiable } from '../../../ingest/comet/verification/light-block.ts'
import { LIMITATIONS } from '../../../ingest/contract/limitations.ts'
import { explainWrongAddress } from '../../../ingest/rpc-address/identify-address.ts'
import { systemClock } from '../../base/runtime/clock.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { createAreaFindings, type Finding } from './finding.ts'

export type CheckEndpointsOptions = Pick<NodePoolOptions, 'urls' | 'headers' | 'settings'> & {
  /** The expected chain; undefined if neither settings nor log name it. */
  chainId: string | undefined
  /** The last block in the log; undefined if the log is empty. */
  indexed: IndexedBlock | undefined
  signal: AbortSignal
}

const { ok, warning, problem } = createAreaFindings('chain')
const silent = createLogger({ service: 'doctor', level: 'silent' })
const TIMEOUT_MS = 5_000
/** How long requests are repeated that the endpoint refuses, for example because of the requests of a running Rollcall. */
const PATIENCE_MS = 2_000
const BEHIND_HEIGHTS = 10

type EndpointCheck = { findings: Finding[]; tip: number | undefined }

const checkState = async (name: string, node: ChainNode, height: number): Promise<Finding[]> => {
  const state = await bondedTokensAt(node, height)
  if (isKnown(state)) return []
  const message = `${name} cannot query the state at height ${height}: ${state.unavailable}`
  return [
    warning(
      message,
      'add an endpoint that keeps more state; without it votes there lack their stake',
    ),
  ]
}

const checkGov = async (name: string, node: ChainNode, height: number): Promise<Finding[]> => {
  const found = await findGov(withGovPackage(node, { clock: systemClock, logger: silent }), height)
  if (found !== 'absent') return []
  const { message, remedy } = LIMITATIONS.no_gov
  return [problem(`${name} has no query of x/gov at height ${height}. ${message}`, remedy)]
}

/** The header before the last block of the endpoint: the last one has no canonical commit yet. */
const checkHeader = async (name: string, node: ChainNode, tip: number): Promise<Finding[]> => {
  const height = tip - 1
  try {
    const { hash } = await node.block(height)
    await node.lightBlock?.(height, hash)
    return []
  } catch (error) {
    const reason = error instanceof AppError ? findUnverifiable(error) : undefined
    if (reason === undefined) return []
    const { message, remedy } = LIMITATIONS.unverified_headers
    return [warning(`${name}: ${message} At height ${height}: ${reason}`, remedy)]
  }
}

/** A chain that was started again, or another history of it, keeps the chain ID. */
const checkHistory = async (
  name: string,
  node: ChainNode,
  { height, hash }: IndexedBlock,
): Promise<Finding[]> => {
  const block = await node.block(height)
  if (block.hash === hash) return []
  const message = `${name} has the block ${block.hash} at height ${height}, but the log has ${hash}`
  const remedy =
    'if the chain was started again, index it into another DATA_DIR; otherwise remove the endpoint'
  return [problem(message, remedy)]
}

const checkBlocks = (
  name: string,
  { earliestHeight }: NodeStatus,
  nextHeight: number,
): Finding[] =>
  earliestHeight <= nextHeight
    ? []
    : [
        warning(
          `${name} has blocks from ${earliestHeight} on, and height ${nextHeight} is next`,
          'add an archive endpoint; without one the log cannot continue',
        ),
      ]

const checkStatus = async (
  name: string,
  node: ChainNode,
  options: CheckEndpointsOptions,
): Promise<EndpointCheck> => {
  const { chainId, indexed } = options
  const startedMs = performance.now()
  const status = await node.status()
  const latencyMs = Math.round(performance.now() - startedMs)
  if (chainId !== undefined && status.chainId !== chainId) {
    const message = `${name} is on chain ${status.chainId}, not on ${chainId}`
    return { findings: [problem(message, 'remove it from CHAIN_RPC_URLS')], tip: undefined }
  }
  const tip = status.latestHeight
  const message = `${name} is at height ${tip} of ${status.chainId}, latency ${latencyMs} ms`
  const findings = [
    status.catchingUp
      ? warning(`${message}, and is still catching up`, 'wait for it')
      : ok(message),
  ]
  const next = Math.min(indexed ? indexed.height + 1 : tip, tip)
  findings.push(...checkBlocks(name, status, next))
  const isKept = indexed && indexed.height >= status.earliestHeight && indexed.height <= tip
  if (isKept) findings.push(...(await checkHistory(name, node, indexed)))
  if (next >= status.earliestHeight) {
    findings.push(...(await checkState(name, node, next)))
    findings.push(...(await checkGov(name, node, next)))
  }
  if (tip > status.earliestHeight) findings.push(...(await checkHeader(name, node, tip)))
  return { findings, tip }
}

const toFinding = async (
  name: string,
  url: string,
  { error, options }: { error: unknown; options: CheckEndpointsOptions },
): Promise<Finding> => {
  const reason = error instanceof Error ? error.message : String(error)
  if (
    hasCode(error, 'RPC_LIMITED') ||
    (error instanceof Error && hasCode(error.cause, 'RPC_LIMITED'))
  ) {
    const remedy = 'check its key in CHAIN_RPC_HEADERS, set RPC_REQUESTS_PER_SECOND, or wait'
    return problem(`${name} refuses requests: ${reason}`, remedy)
  }
  const headers = options.headers?.get(url)
  const wrong = await explainWrongAddress(url, { headers, signal: options.signal })
  if (wrong) return problem(`${name}: ${wrong.what}`, wrong.remedy)
  const message = `${name} does not respond like a node: ${reason}`
  return problem(message, 'start it, or remove it from CHAIN_RPC_URLS')
}

const checkEndpoint = async (
  name: string,
  url: string,
  options: CheckEndpointsOptions,
): Promise<EndpointCheck> => {
  let node: ChainNode | undefined
  try {
    node = await createChainNode({
      urls: [url],
      headers: options.headers,
      settings: {
        ...options.settings,
        timeoutMs: TIMEOUT_MS,
        retryBudgetMs: 0,
        patienceMs: PATIENCE_MS,
      },
      logger: silent,
      metrics: createMetrics('doctor'),
      signal: options.signal,
    })
    return await checkStatus(name, node, options)
  } catch (error) {
    if (options.signal.aborted) throw error
    return { findings: [await toFinding(name, url, { error, options })], tip: undefined }
  } finally {
    await node?.close()
  }
}

/** Only the host: paths and users in URLs may be keys. */
export const checkEndpoints = async (options: CheckEndpointsOptions): Promise<Finding[]> => {
  const names = endpointNames(options.urls)
  const checks = await Promise.all(
    options.urls.map((url, at) => checkEndpoint(names[at] ?? 'endpoint', url, options)),
  )
  const best = Math.max(...checks.map(({ tip }) => tip ?? 0))
  const late = checks.flatMap(({ tip }, at) =>
    tip !== undefined && tip < best - BEHIND_HEIGHTS
      ? [
          warning(
            `${names[at]} is ${best - tip} heights behind the best endpoint`,
            'wait, or remove it',
          ),
        ]
      : [],
  )
  return [...checks.flatMap(({ findings }) => findings), ...late]
}
