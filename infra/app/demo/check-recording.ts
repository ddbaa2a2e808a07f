// Compares an event log with the recording. A chain that is recorded again keeps its chain ID, but its blocks differ.
import { isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import type { Recording } from './recording.ts'

export type RecordingMismatch = { message: string; remedy: string }

const readHash = (recording: Recording, height: number): string | undefined => {
  const { firstHeight, lastHeight } = recording.manifest
  if (height < firstHeight || height > lastHeight) return undefined
  return (JSON.parse(recording.block(height).block) as { block_id: { hash: string } }).block_id.hash
}

/** Undefined if the recording continues the log. */
export const findRecordingMismatch = (
  recording: Recording,
  { chainId, height, hash }: IndexedBlock,
): RecordingMismatch | undefined => {
  if (!isDemoChain(chainId)) {
    return {
      message: `the event log is of chain ${chainId}, but CHAIN_RPC_URLS is not set, which means the demo chain`,
      remedy: `set CHAIN_RPC_URLS to endpoints of ${chainId}, or DATA_DIR to another directory`,
    }
  }
  if (readHash(recording, height) === hash) return undefined
  return {
    message: `the event log is of an earlier recording of the demo chain: this one has no block ${hash} at height ${height}`,
    remedy: 'remove the data directory, or set DATA_DIR to another one: the demo is indexed again',
  }
}
