// Checks the chain that this deployment follows: the end of its log, and its endpoints, or the recorded demo chain.
import { readIngestConfig } from '../../../ingest/config.ts'
import { DEMO_NOTE, isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import { readChainId } from '../../../ingest/contract/envelope.ts'
import { decodeMarker } from '../../../ingest/heights/governance.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { type IndexedBlock, toIndexedBlock } from '../indexed-block.ts'
import { isDemo, readMachineConfig } from '../machine-settings.ts'
import { createAreaFindings, type Finding } from './finding.ts'

export type LogEnd = IndexedBlock & { offset: bigint }

/** From here ingest continues. Throws `LOG_DAMAGED` if the log does not end with a marker. */
export async function checkLogEnd(
  log: EventLog,
  name: string,
): Promise<{ finding: Finding; end: LogEnd | undefined }> {
  const { ok, warning } = createAreaFindings('event log')
  const last = await log.last()
  if (!last) {
    const finding = warning(`${name} is empty`, 'start ingest, or import an exported log')
    return { finding, end: undefined }
  }
  const marker = decodeMarker(last)
  const { height, time, data } = marker
  const behind = `${data.tip - height} behind the tip at that time`
  return {
    finding: ok(`${name} ends at height ${height} of ${readChainId(marker)} (${time}), ${behind}`),
    end: { ...toIndexedBlock(marker), offset: last.offset + 1n },
  }
}

const { warning, problem } = createAreaFindings('chain')
const FOLLOW_REAL = 'to follow a real chain, set CHAIN_RPC_URLS and an empty DATA_DIR'
const BEHIND_HEIGHTS = 10

const checkDemo = async (env: Environment, indexed: LogEnd | undefined): Promise<Finding[]> => {
  const note = warning(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`, FOLLOW_REAL)
  if (!indexed) return [note]
  const { findRecordingMismatch, openRecording } = await import('../demo/recording.ts')
  const { demoRecording } = readMachineConfig(env)
  const mismatch = findRecordingMismatch(openRecording(demoRecording), indexed)
  return mismatch ? [note, problem(mismatch.message, mismatch.remedy)] : [note]
}

export type EndpointsOptions = {
  urls: readonly string[]
  headers?: ReadonlyMap<string, Readonly<Record<string, string>>> | undefined
  chainId: string | undefined
  indexed: IndexedBlock | undefined
  signal: AbortSignal
}

/** The same diagnosis as that of `--endpoint`, of each endpoint. */
export async function checkEndpoints(options: EndpointsOptions): Promise<Finding[]> {
  const { urls, headers, chainId, indexed, signal } = options
  const { diagnoseEndpoint } = await import('./diagnose-endpoint.ts')
  const expected = { chainId, indexed }
  const checks = await Promise.all(
    urls.map((url) =>
      diagnoseEndpoint({ address: url, headers: headers?.get(url), expected, signal }),
    ),
  )
  const best = Math.max(...checks.map(({ tip }) => tip ?? 0))
  const late = checks.flatMap(({ tip = best }, at) => {
    const host = new URL(urls[at] ?? '').host
    const message = `${host} is ${best - tip} heights behind the best endpoint`
    return tip < best - BEHIND_HEIGHTS ? [warning(message, 'wait, or remove it')] : []
  })
  return [...checks.flatMap(({ findings }) => findings), ...late]
}

/** `end` is the end of the log, if it has one. */
export async function checkChain(
  { env, signal }: { env: Environment; signal: AbortSignal },
  end: LogEnd | undefined,
): Promise<Finding[]> {
  if (isDemo(env)) return await checkDemo(env, end)
  const { rpcUrls: urls, rpcHeaders: headers, ...config } = readIngestConfig(env)
  const chainId = config.chainId ?? end?.chainId
  const isDemoNode = chainId !== undefined && isDemoChain(chainId)
  return [
    ...(isDemoNode ? [warning(DEMO_NOTE, FOLLOW_REAL)] : []),
    ...(await checkEndpoints({ urls, headers, chainId, indexed: end, signal })),
  ]
}
