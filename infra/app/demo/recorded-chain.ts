// The recording as a chain that a node serves: up to a tip that moves to the last recorded height.
import type { ChainWriter, NodeView } from '../chain/rpc/node-view.ts'
import type { ServedChain, SignedParts } from '../chain/served-chain.ts'
import { answerFromRecording } from './recorded-queries.ts'
import type { Recording } from './recording.ts'

export type RecordedChain = ServedChain & {
  /** Shows the next block, if there is one. */
  grow(): void
}

export const createRecordedChain = (recording: Recording, firstTip: number): RecordedChain => {
  const { chainId, firstHeight, lastHeight } = recording.manifest
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
    grow: () => {
      tip = Math.min(tip + 1, lastHeight)
    },
  }
}

/** The texts of the recorded node, byte for byte. */
const createRecordedWriter = ({ manifest, block }: Recording): ChainWriter => ({
  block: (_, height) => ({ text: block(height).block }),
  blockResults: (_, height) => ({ text: block(height).blockResults }),
  header: (_, height) => JSON.parse(block(height).block).block.header,
  about: ({ tip }) => {
    const { nodeInfo, validatorInfo, abciInfo } = manifest
    // The app hash of a height is in its results, as hex there and as base64 here.
    const hash = JSON.parse(block(tip).blockResults).app_hash
    return { nodeInfo, validatorInfo, abciInfo: { ...abciInfo, last_block_app_hash: hash } }
  },
})

/** A node that has all of the recorded chain up to its tip. */
export function createRecordedView(chain: RecordedChain, recording: Recording): NodeView {
  const { firstHeight } = chain
  return {
    chain,
    write: createRecordedWriter(recording),
    form: '0.38',
    get tip() {
      return chain.tip
    },
    lowest: { block: firstHeight, results: firstHeight, state: firstHeight },
  }
}
