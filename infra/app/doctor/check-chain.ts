// Checks the chain that this deployment follows: its endpoints, or the recorded demo chain.
import { endpointOptions, readIngestConfig } from '../../../ingest/config.ts'
import { DEMO_NOTE, isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { isDemo, readMachineConfig } from '../machine-settings.ts'
import type { LogEnd } from './check-log-end.ts'
import { createAreaFindings, type Finding } from './finding.ts'

const { warning, problem } = createAreaFindings('chain')
const FOLLOW_REAL = 'to follow a real chain, set CHAIN_RPC_URLS and an empty DATA_DIR'

const checkDemo = async (env: Environment, indexed: LogEnd | undefined): Promise<Finding[]> => {
  const note = warning(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`, FOLLOW_REAL)
  if (!indexed) return [note]
  const { findRecordingMismatch } = await import('../demo/check-recording.ts')
  const { demoRecording } = readMachineConfig(env)
  const { openRecording } = await import('../demo/recording.ts')
  const mismatch = findRecordingMismatch(openRecording(demoRecording), indexed)
  return mismatch ? [note, problem(mismatch.message, mismatch.remedy)] : [note]
}

/** `end` is the end of the log, if it has one. */
export const checkChain = async (
  { env, signal }: { env: Environment; signal: AbortSignal },
  end: LogEnd | undefined,
): Promise<readonly Finding[]> => {
  if (isDemo(env)) return await checkDemo(env, end)
  const { checkEndpoints } = await import('./check-endpoints.ts')
  const config = readIngestConfig(env)
  const expected = config.chainId ?? end?.chainId
  const notes =
    expected !== undefined && isDemoChain(expected) ? [warning(DEMO_NOTE, FOLLOW_REAL)] : []
  const options = { ...endpointOptions(config), chainId: expected, indexed: end, signal }
  return [...notes, ...(await checkEndpoints(options))]
}
