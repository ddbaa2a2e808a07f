// A chain that is played block by block: each block leaves a state, and the chain answers queries in every state.
import { Proposal, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  type AbciRequest,
  type AbciResponse,
  answerQuery,
  toAbciResponse,
} from '../../../infra/app/chain/query.ts'
import { hashText } from '../../../infra/base/proof/light-block.ts'
import { proposalKey } from '../../../infra/base/proof/proposal.ts'
import { type BlockSketch, createBlock } from './blocks.ts'
import { proveStore } from './proved-store.ts'
import { createSimulatedQuery, type Modules, STORE_KEY } from './queries/simulated.ts'
import type { ChainEvent, ServedBlock, ServedChain } from './rpc/served-chain.ts'
import { createSigner, type LightBlockJson, type MembersAt } from './signed-chain.ts'
import { type ChainState, createState } from './state/chain-state.ts'
import { createView, type SimulatedView } from './state/simulated-view.ts'

/** `height`: of the block that the state is after. */
export type StateChange = (state: ChainState, height: number) => void

export type SimulatedChain = Omit<ServedChain, 'query' | 'signed'> & {
  /** `shownTip`: of a node that does not show all blocks. */
  query(request: AbciRequest, shownTip?: number): AbciResponse
  /** State below this height is pruned. */
  prunedBelow: number
  /** Appends a block: the state after it has its votes, then the given change, and no votes that it ends. */
  add(sketch?: BlockSketch, change?: StateChange): number
  /** Appends a block with the state after it. That state must not change later. */
  append(sketch: BlockSketch, state: ChainState): number
  /** Only for a chain with proofs. */
  signed?(height: number): LightBlockJson
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

const ENDS = ['active_proposal', 'cancel_proposal']

/** Applies a block's votes to x/gov's state like the module itself. The result: removes those of votes that end. */
const applyVotes = (block: ServedBlock, { votes }: ChainState): (() => void) => {
  const ended: string[] = []
  for (const { type, attributes } of listEvents(block)) {
    const { proposal_id: id = '', option = '', voter } = Object.fromEntries(attributes)
    if (type && ENDS.includes(type)) ended.push(id)
    const options = parseOptions(option)
    if (type !== 'proposal_vote' || !voter || !options) continue
    const others = (votes.get(id) ?? []).filter((vote) => vote.voter !== voter)
    votes.set(id, [...others, Vote.fromPartial({ proposalId: BigInt(id), voter, options })])
  }
  return () => {
    for (const id of ended) votes.delete(id)
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The store of x/gov with its proofs; `appHash` is in the next header. */
const proveProposals = ({ proposals }: ChainState) => {
  const entries = [...proposals].map(([id, proposal]) => ({
    key: proposalKey(BigInt(id)),
    value: Proposal.encode(proposal).finish(),
  }))
  const { appHash, prove } = proveStore(entries)
  return { appHash: hashText(appHash), prove }
}

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
  const blocks: ServedBlock[] = []
  const states: ChainState[] = []
  const stores: ReturnType<typeof proveProposals>[] = []
  const viewAt = createViews(states, firstHeight)
  const tip = () => firstHeight + blocks.length - 1
  const block = (height: number) => blocks[height - firstHeight]!
  const signer = proves
    ? createSigner(
        { chainId, firstHeight, block },
        {
          ...(typeof proves === 'function' ? { membersAt: proves } : {}),
          appHashAt: (height) => stores[height - 1 - firstHeight]?.appHash,
        },
      )
    : undefined
  const append = (sketch: BlockSketch, state: ChainState): number => {
    blocks.push(createBlock(tip() + 1, sketch, firstHeight))
    states.push(state)
    signer?.signed(tip())
    if (signer) stores.push(proveProposals(state))
    return tip()
  }
  const prove = (height: number, key: Uint8Array): AbciResponse => {
    const { value, proofOps: ops } = stores[height - firstHeight]?.prove(key) ?? {}
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
    get tip() {
      return tip()
    },
    add: (sketch = {}, change) => {
      const state = structuredClone(states.at(-1) ?? createState())
      const end = applyVotes(createBlock(tip() + 1, sketch, firstHeight), state)
      change?.(state, tip() + 1)
      end()
      return append(sketch, state)
    },
    append,
    block: signer?.block ?? block,
    query: (request, shownTip = tip()) => {
      const height = request.height === 0n ? shownTip : Number(request.height)
      const isPruned = height < chain.prunedBelow
      const isProved = signer && request.path === STORE_KEY
      if (isProved && height <= shownTip && viewAt(height) && !isPruned) {
        return prove(height, request.data)
      }
      return answerQuery(request, {
        tip: shownTip,
        stateAt: (at) => (at < chain.prunedBelow ? undefined : viewAt(at)),
        findQuery: ({ path }) => createSimulatedQuery(path, modules),
      })
    },
    ...(signer ? { signed: signer.signed } : {}),
  }
  return chain
}
