// A chain that is played block by block: each block leaves a state, and the chain answers queries in every state.
import { Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import { answerQuery } from './answer-query.ts'
import { type BlockSketch, createBlock } from './blocks.ts'
import { createSimulatedQuery, type Modules } from './queries/simulated.ts'
import { STORE_KEY } from './queries/store.ts'
import {
  type AbciRequest,
  type AbciResponse,
  type ChainEvent,
  type ServedBlock,
  type ServedChain,
  toAbciResponse,
} from './served-chain.ts'
import { createSignedHeaders, type MembersAt, type SignedHeaders } from './signed-headers.ts'
import { type ChainState, createState } from './state/chain-state.ts'
import { createView, type SimulatedView } from './state/simulated-view.ts'

export type StateChange = (state: ChainState) => void

export type SimulatedChain = Omit<ServedChain, 'query'> & {
  /** `shownTip`: of a node that does not show all blocks. */
  query(request: AbciRequest, shownTip?: number): AbciResponse
  /** State below this height is pruned. */
  prunedBelow: number
  /** Appends a block: the state after it has its votes, then the given change. */
  add(sketch?: BlockSketch, change?: StateChange): number
  /** Appends a block with the state after it. That state must not change later. */
  append(sketch: BlockSketch, state: ChainState): number
  /** Only for a chain with proofs. */
  readonly headers: SignedHeaders | undefined
}

export type SimulatedChainOptions = {
  chainId?: string
  firstHeight?: number
  modules?: Modules
  /** Creates signed headers and proofs of the state, optionally by the given validators. */
  proves?: boolean | MembersAt
}

/** Of x/gov in SDK 0.50; undefined for the text of another one. */
const parseOptions = (text: string): Vote['options'] | undefined => {
  try {
    return Vote.fromPartial({ options: JSON.parse(text) as Vote['options'] }).options
  } catch {
    return undefined
  }
}

const listEvents = ({ begin = [], txs = [], end = [] }: ServedBlock): readonly ChainEvent[] => [
  ...begin,
  ...txs.flatMap(({ code, events = [] }) => (code ? [] : events)),
  ...end,
]

/** Applies a block's votes and closes to x/gov's state like the module itself. */
const applyVotes = (block: ServedBlock, { votes }: ChainState): void => {
  for (const { type, attributes } of listEvents(block)) {
    const { proposal_id: id = '', option = '', voter } = Object.fromEntries(attributes)
    if (type === 'active_proposal' || type === 'cancel_proposal') votes.delete(id)
    const options = parseOptions(option)
    if (type !== 'proposal_vote' || !voter || !options) continue
    const others = (votes.get(id) ?? []).filter((vote) => vote.voter !== voter)
    votes.set(id, [...others, Vote.fromPartial({ proposalId: BigInt(id), voter, options })])
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The views of the last heights that were read. */
const VIEWS = 16

const createViews = (states: readonly ChainState[], firstHeight: number) => {
  const views = new Map<number, SimulatedView>()
  return (height: number): SimulatedView | undefined => {
    const state = states[height - firstHeight]
    const view = views.get(height) ?? (state && createView(state))
    if (!view || views.has(height)) return view
    if (views.size >= VIEWS) views.delete(views.keys().next().value ?? 0)
    views.set(height, view)
    return view
  }
}

export const createSimulatedChain = ({
  chainId = 'test-1',
  firstHeight = 1,
  proves = false,
  modules,
}: SimulatedChainOptions = {}): SimulatedChain => {
  const members = typeof proves === 'function' ? proves : undefined
  const headers = proves ? createSignedHeaders(chainId, firstHeight, members) : undefined
  const blocks: ServedBlock[] = []
  const states: ChainState[] = []
  const viewAt = createViews(states, firstHeight)
  const tip = () => firstHeight + blocks.length - 1
  /** With the hash of its header, if it has one. */
  const toSigned = (block: ServedBlock): ServedBlock => {
    if (!headers) return block
    const previousHash = blocks.at(-1)?.hash ?? block.previousHash
    const hash = headers.add({ height: tip() + 1, time: block.time, previousHash })
    return { ...block, previousHash, hash }
  }
  const append = (sketch: BlockSketch, state: ChainState): number => {
    blocks.push(toSigned(createBlock(tip() + 1, sketch, firstHeight)))
    states.push(state)
    headers?.commit(state)
    return tip()
  }
  const prove = (height: number, key: Uint8Array): AbciResponse => {
    const { value, proofOps: ops } = headers?.prove(height, key) ?? {}
    return toAbciResponse({
      key: base64(key),
      value: value ? base64(value) : null,
      proofOps: ops ? { ops } : null,
      height: `${height}`,
    })
  }
  const chain: SimulatedChain = {
    chainId,
    firstHeight,
    prunedBelow: 0,
    headers,
    get tip() {
      return tip()
    },
    add: (sketch = {}, change) => {
      const state = structuredClone(states.at(-1) ?? createState())
      applyVotes(createBlock(tip() + 1, sketch, firstHeight), state)
      change?.(state)
      return append(sketch, state)
    },
    append,
    block: (height) => blocks[height - firstHeight]!,
    query: (request, shownTip = tip()) => {
      const height = request.height === 0n ? shownTip : Number(request.height)
      const isPruned = height < chain.prunedBelow
      if (
        headers &&
        request.path === STORE_KEY &&
        height <= shownTip &&
        viewAt(height) &&
        !isPruned
      ) {
        return prove(height, request.data)
      }
      return answerQuery(request, {
        tip: shownTip,
        stateAt: (at) => (at < chain.prunedBelow ? undefined : viewAt(at)),
        findQuery: ({ path }) => createSimulatedQuery(path, modules),
      })
    },
    ...(headers ? { signed: (height) => headers.json(height)! } : {}),
  }
  return chain
}
