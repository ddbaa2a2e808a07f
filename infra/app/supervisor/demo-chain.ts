// The demo chain of one machine: its tip is never below the last height in the log.
import { openRecording } from '../demo/recording.ts'
import { LIVE_BLOCKS, type ReplayNode, startReplayNode } from '../demo/replay-node.ts'

/** Most blocks, and all indexed ones, exist at the start; the others follow one by one. */
export const startDemoChain = (options: {
  blockMs: number
  /** The last height in the log, if any. */
  indexedHeight: number | undefined
}): Promise<ReplayNode> => {
  const recording = openRecording()
  const { firstHeight, lastHeight } = recording.manifest
  const firstTip = Math.max(lastHeight - LIVE_BLOCKS, options.indexedHeight ?? 0)
  return startReplayNode({
    recording,
    blockMs: options.blockMs,
    preload: firstTip - firstHeight + 1,
  })
}
