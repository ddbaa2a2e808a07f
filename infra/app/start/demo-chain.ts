// The demo chain of one machine: its tip is never below the last height in the log.
import { AppError } from '../../base/runtime/errors.ts'
import { findRecordingMismatch } from '../demo/check-recording.ts'
import { type DemoNode, LIVE_BLOCKS, startDemoNode } from '../demo/demo-node.ts'
import { openRecording, type Recording } from '../demo/recording.ts'
import type { IndexedBlock } from '../indexed-block.ts'

const requireSameRecording = (recording: Recording, indexed: IndexedBlock): void => {
  const mismatch = findRecordingMismatch(recording, indexed)
  if (!mismatch) return
  const { message, remedy } = mismatch
  throw new AppError('CHAIN_MISMATCH', `${message}; ${remedy}`, { expose: true })
}

/**
 * Most blocks, and all indexed ones, exist at the start; the others follow one by one. Throws `CHAIN_MISMATCH` if the
 * log is of another recording or chain.
 */
export const startDemoChain = async (options: {
  blockMs: number
  /** Undefined for that of Rollcall. */
  recordingDir: string | undefined
  /** The last block in the log, if any. */
  indexed: IndexedBlock | undefined
}): Promise<DemoNode> => {
  const { indexed, blockMs, recordingDir } = options
  const recording = openRecording(recordingDir)
  if (indexed) requireSameRecording(recording, indexed)
  const { firstHeight, lastHeight } = recording.manifest
  const firstTip = Math.max(lastHeight - LIVE_BLOCKS, indexed?.height ?? 0)
  return startDemoNode({ recording, blockMs, preload: firstTip - firstHeight + 1 })
}
