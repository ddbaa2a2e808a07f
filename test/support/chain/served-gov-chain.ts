// Serves the chain in memory to nodes: blocks, state queries, and a tip that the test moves.
import {
  type StateAnswer,
  type StateRequest,
  toQuery,
} from '../../../infra/app/chain/nodes/state-answers.ts'
import type { ChainEvent, ServedBlock, ServedChain } from '../../../infra/app/chain/served-chain.ts'
import type { Block } from '../../../ingest/comet/block.ts'
import type { GovChain } from './gov-chain.ts'

/** Error code of the SDK's root codespace. */
const KEY_NOT_FOUND = 22

export type ShownChain = ServedChain & {
  /** Releases one more block; false if all blocks are released. */
  grow(): boolean
}

const eventsIn = (block: Block, phase: 'begin' | 'tx' | 'end', txIndex: number | null) =>
  block.events
    .filter((event) => event.phase === phase && event.txIndex === txIndex)
    .map(
      ({ type, attributes }): ChainEvent => ({
        type,
        attributes: attributes.map(({ key, value }) => [key, value] as const),
      }),
    )

const toServedBlock = (block: Block): ServedBlock => ({
  time: block.time,
  hash: block.hash,
  previousHash: block.previousHash,
  begin: eventsIn(block, 'begin', null),
  txs: block.txs.map(({ bytes, code }, index) => ({
    bytes,
    code,
    events: eventsIn(block, 'tx', index),
  })),
  end: eventsIn(block, 'end', null),
  changesValidators: block.changesValidators,
})

/** The response of the chain in memory to a state query. */
export const readState = async (chain: GovChain, request: StateRequest): Promise<StateAnswer> => {
  const answer = await chain.abciQuery(request)
  switch (answer.kind) {
    case 'value':
      return answer
    case 'not_found':
      return { code: KEY_NOT_FOUND, log: answer.log }
    case 'pruned':
      return { code: 38, log: answer.log }
    case 'refused':
      return answer
  }
}

/** Shows the blocks up to `firstTip`, by default all. */
export const showChain = (whole: GovChain, firstTip = whole.tip): ShownChain => {
  const blocks = whole.blocks()
  const firstHeight = blocks[0]!.height
  const { headers } = whole
  let tip = Math.min(firstTip, whole.tip)
  const chain: ShownChain = {
    chainId: whole.chainId,
    firstHeight,
    get tip() {
      return tip
    },
    block: (height) => toServedBlock(blocks[height - firstHeight]!),
    query: (request) => query(request),
    ...(headers ? { signed: (height) => headers.json(height)! } : {}),
    grow: () => {
      if (tip >= whole.tip) return false
      tip += 1
      return true
    },
  }
  const query = toQuery(chain, (request) => readState(whole, request))
  return chain
}
