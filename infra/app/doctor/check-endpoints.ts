// Checks each endpoint of the chain: reachable, right chain, latency, and which heights it keeps.

import { isKnown } from '../../../ingest/chain/answer.ts'
import { bondedTokensAt } from '../../../ingest/chain/staking.ts'
import { endpointNames } from '../../../ingest/comet/endpoint-names.ts'
import type { ChainNode, NodeStatus } from '../../../ingest/comet/node.ts'
import { createChainNode } from '../../../ingest/comet/node-pool.ts'
import { createLogger } from '../../runtime/logger.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { type Finding, findingsOf } from './finding.ts'

export type CheckEndpointsOptions = {
  urls: readonly string[]
  /** The expected chain; undefined if neither settings nor log name it. */
  chainId: string | undefined
  /** The height that ingest reads next; undefined if the log is empty. */
  nextHeight: number | undefined
  signal: AbortSignal
}

const { ok, warning, problem } = findingsOf('chain')
const TIMEOUT_MS = 5_000
const BEHIND_HEIGHTS = 10

type Look = { findings: Finding[]; tip: number | undefined }

const lookAtState = async (name: string, node: ChainNode, height: number): Promise<Finding[]> => {
  const state = await bondedTokensAt(node, height)
  if (isKnown(state)) return []
  const message = `${name} cannot answer for the state of height ${height}: ${state.unavailable}`
  return [
    warning(message, 'add an endpoint that keeps more state: votes there will lack their stake'),
  ]
}

const lookAtBlocks = (
  name: string,
  { earliestHeight }: NodeStatus,
  nextHeight: number,
): Finding[] =>
  earliestHeight <= nextHeight
    ? []
    : [
        warning(
          `${name} has blocks from ${earliestHeight} on, and height ${nextHeight} is next`,
          'add an archive endpoint: without one the log cannot continue',
        ),
      ]

const lookAtChain = async (
  name: string,
  node: ChainNode,
  options: CheckEndpointsOptions,
): Promise<Look> => {
  const { chainId, nextHeight } = options
  const startedMs = performance.now()
  const status = await node.status()
  const latencyMs = Math.round(performance.now() - startedMs)
  if (chainId !== undefined && status.chainId !== chainId) {
    const message = `${name} is of chain ${status.chainId}, not of ${chainId}`
    return { findings: [problem(message, 'remove it from CHAIN_RPC_URLS')], tip: undefined }
  }
  const tip = status.latestHeight
  const message = `${name} is at height ${tip} of ${status.chainId}, answered in ${latencyMs} ms`
  const findings = [
    status.catchingUp
      ? warning(`${message}, and is itself catching up`, 'wait for it')
      : ok(message),
  ]
  const next = Math.min(nextHeight ?? tip, tip)
  findings.push(...lookAtBlocks(name, status, next))
  if (next >= status.earliestHeight) findings.push(...(await lookAtState(name, node, next)))
  return { findings, tip }
}

const lookAt = async (name: string, url: string, options: CheckEndpointsOptions): Promise<Look> => {
  let node: ChainNode | undefined
  try {
    node = await createChainNode({
      urls: [url],
      settings: { timeoutMs: TIMEOUT_MS, retryBudgetMs: 0 },
      log: createLogger({ service: 'doctor', level: 'silent' }),
      metrics: createMetrics('doctor'),
      signal: options.signal,
    })
    return await lookAtChain(name, node, options)
  } catch (error) {
    if (options.signal.aborted) throw error
    const why = error instanceof Error ? error.message : String(error)
    const message = `${name} does not respond like a node: ${why}`
    return {
      findings: [problem(message, 'start it, or remove it from CHAIN_RPC_URLS')],
      tip: undefined,
    }
  } finally {
    await node?.close()
  }
}

/** A name is the host only: paths and users of addresses may be keys. */
export const checkEndpoints = async (options: CheckEndpointsOptions): Promise<Finding[]> => {
  const names = endpointNames(options.urls)
  const looks = await Promise.all(
    options.urls.map((url, at) => lookAt(names[at] ?? 'endpoint', url, options)),
  )
  const best = Math.max(...looks.map(({ tip }) => tip ?? 0))
  const late = looks.flatMap(({ tip }, at) =>
    tip !== undefined && tip < best - BEHIND_HEIGHTS
      ? [warning(`${names[at]} is ${best - tip} heights behind the best one`, 'wait, or remove it')]
      : [],
  )
  return [...looks.flatMap(({ findings }) => findings), ...late]
}
