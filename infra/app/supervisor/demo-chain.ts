// The demo chain as one machine runs it: never shows a lower tip than the log has seen already.
import { openRecording } from '../demo/recording.ts'
import { LIVE_BLOCKS, type ReplayNode, startReplayNode } from '../demo/replay-node.ts'

/** Most blocks at once, the rest block by block; what is indexed already is not made again. */
export const startDemoChain = (options: {
  blockMs: number
  /** The last height in the log, if it holds any. */
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
