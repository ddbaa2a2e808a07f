// The recording as a chain that a node serves: up to a tip that moves to the last recorded height.
import type { ServedChain, SignedParts } from '../chain/served-chain.ts'
import { answerFromRecording } from './recorded-queries.ts'
import type { Recording } from './recording.ts'

export type RecordedChain = ServedChain & {
  /** Shows the next block, if there is one. */
  grow(): void
}

export const createRecordedChain = (recording: Recording, firstTip: number): RecordedChain => {
  const { chainId, firstHeight, lastHeight, ...manifest } = recording.manifest
  const { nodeInfo, validatorInfo, abciInfo } = manifest
  let tip = firstTip
  const parse = (height: number) => JSON.parse(recording.block(height).block)
  return {
    chainId,
    firstHeight,
    get tip() {
      return tip
    },
    block: (height) => {
      const { block_id, block } = parse(height)
      const { time, last_block_id } = block.header
      return { time, hash: block_id.hash, previousHash: last_block_id.hash }
    },
    query: (request) => answerFromRecording(request, { recording, tip }),
    signed: (height): SignedParts => ({
      header: parse(height).block.header,
      /** The commit of a block is in the next block. */
      get commit() {
        return height < lastHeight ? parse(height + 1).block.last_commit : undefined
      },
      get validators() {
        const text = recording.proofs()?.validators(height - firstHeight)
        return text === undefined ? undefined : JSON.parse(text).validators
      },
    }),
    recorded: { nodeInfo, validatorInfo, abciInfo, texts: recording.block },
    grow: () => {
      tip = Math.min(tip + 1, lastHeight)
    },
  }
}
