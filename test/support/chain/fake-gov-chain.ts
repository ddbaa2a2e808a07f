// Serves the chain in memory through a fake node: blocks, state queries, and a tip that the test moves.
import type { Block } from '../../../ingest/comet/block.ts'
import type { FakeBlock, FakeChain, FakeEvent } from './fake-chain.ts'
import type { FakeAbciAnswer, FakeAbciRequest } from './fake-replies.ts'
import type { GovChain } from './gov-chain.ts'

/** Error code of the SDK's root codespace. */
const KEY_NOT_FOUND = 22

export type ShownChain = {
  chain: FakeChain
  /** Releases one more block; false if all blocks are released. */
  grow(): boolean
}

const eventsIn = (block: Block, phase: 'begin' | 'tx' | 'end', txIndex: number | null) =>
  block.events
    .filter((event) => event.phase === phase && event.txIndex === txIndex)
    .map(
      ({ type, attributes }): FakeEvent => ({
        type,
        attributes: attributes.map(({ key, value }) => [key, value] as const),
      }),
    )

const toFakeBlock = (block: Block): FakeBlock => ({
  time: block.time,
  begin: eventsIn(block, 'begin', null),
  txs: block.txs.map(({ bytes, code }, index) => ({
    bytes,
    code,
    events: eventsIn(block, 'tx', index),
  })),
  end: eventsIn(block, 'end', null),
  changesValidators: block.changesValidators,
})

export const toShownChain = (whole: GovChain, firstTip: number): ShownChain => {
  const blocks = whole.blocks()
  const initialHeight = blocks[0]!.height
  let tip = Math.min(firstTip, whole.tip)
  const createChain = (salt: string): FakeChain => ({
    chainId: whole.chainId,
    initialHeight,
    get tip() {
      return tip
    },
    add: () => {
      throw new Error('the chain in memory has no more blocks')
    },
    blockAt: (height) => {
      const block = blocks[height - initialHeight]
      return block ? toFakeBlock(block) : {}
    },
    timeAt: (height) => blocks[height - initialHeight]?.time ?? '',
    hashAt: (height) => {
      const hash = blocks[height - initialHeight]?.hash ?? ''
      return hash && salt + hash.slice(salt.length)
    },
    signedAt: (height) => whole.headers?.json(height),
    forked: () => createChain('F0F0'),
  })
  return {
    chain: createChain(''),
    grow: () => {
      if (tip >= whole.tip) return false
      tip += 1
      return true
    },
  }
}

/** The response of the chain in memory to a state query. */
export const answerStateQuery = async (
  chain: GovChain,
  request: FakeAbciRequest,
): Promise<FakeAbciAnswer> => {
  const answer = await chain.abciQuery(request)
  switch (answer.kind) {
    case 'value':
      return { value: answer.value, proofOps: answer.proofOps }
    case 'not_found':
      return { code: KEY_NOT_FOUND, codespace: 'sdk', log: answer.log }
    case 'pruned':
      return { code: 38, log: answer.log }
    case 'refused':
      return { code: answer.code, codespace: answer.codespace, log: answer.log }
  }
}
