// A chain in memory that answers gov v1 and staking queries at every height, without network and clock.
import { Params, Proposal, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { AbciEvent, Block } from '../../../ingest/comet/block.ts'
import type { AbciAnswer, BlockSource, ChainNode } from '../../../ingest/comet/node.ts'
import { account } from './addresses.ts'
import { type BlockSketch, createBlock, timeAt } from './blocks.ts'
import { answerQuery, type ChainState } from './gov-chain-state.ts'
import { createSignedHeaders, type MembersAt, type SignedHeaders } from './signed-headers.ts'

type Change = (state: ChainState) => void

export type GovChain = ChainNode & {
  readonly tip: number
  /** State below this height is pruned. */
  prunedBelow: number
  readonly queries: readonly { path: string; height: number }[]
  /** Appends a block: the state after it has its votes, then the given change. */
  add(sketch?: BlockSketch, change?: Change): number
  /** Appends a block with the state after it. That state must not change later. */
  append(sketch: BlockSketch, state: ChainState): number
  blocks(): readonly Block[]
  source(): BlockSource
  /** Only for a chain with proofs. */
  readonly headers: SignedHeaders | undefined
}

const stamp = (time: string) => ({ seconds: BigInt(Math.floor(Date.parse(time) / 1000)), nanos: 0 })

export const chainParams = (): Params =>
  Params.fromPartial({
    quorum: '0.334000000000000000',
    threshold: '0.500000000000000000',
    vetoThreshold: '0.334000000000000000',
    expeditedThreshold: '0.667000000000000000',
    votingPeriod: { seconds: 600n, nanos: 0 },
    expeditedVotingPeriod: { seconds: 300n, nanos: 0 },
    maxDepositPeriod: { seconds: 600n, nanos: 0 },
    minDeposit: [{ denom: 'stake', amount: '10' }],
    burnVoteVeto: true,
  })

export const proposalAt = (id: string, height: number, status = 1): Proposal =>
  Proposal.fromPartial({
    id: BigInt(id),
    title: `Proposal ${id}`,
    summary: 'What it is about',
    proposer: account('proposer'),
    status,
    submitTime: stamp(timeAt(height)),
    ...(status === 1 ? {} : { votingStartTime: stamp(timeAt(height)) }),
  })

export const voteBy = (id: string, voter: string, option = 1): Vote =>
  Vote.fromPartial({
    proposalId: BigInt(id),
    voter: account(voter),
    options: [{ option, weight: '1.000000000000000000' }],
  })

const emptyState = (): ChainState => ({
  proposals: new Map(),
  votes: new Map(),
  pools: new Map([
    ['one', { tokens: 600n, status: 3, jailed: false }],
    ['two', { tokens: 300n, status: 3, jailed: false }],
    ['three', { tokens: 100n, status: 3, jailed: false }],
  ]),
  delegations: new Map([
    [
      'alice',
      new Map([
        ['one', 50n],
        ['two', 20n],
        ['three', 5n],
      ]),
    ],
  ]),
  params: chainParams(),
})

/** `option` as SDK 0.50 writes it; a test puts the text of another era into the state. */
const parseOptions = (text: string): Vote['options'] | undefined => {
  try {
    return Vote.fromPartial({ options: JSON.parse(text) as Vote['options'] }).options
  } catch {
    return undefined
  }
}

/** Applies a block's votes and closes to x/gov's state like the module itself. */
const applyVotes = (block: Block, { votes }: ChainState): void => {
  for (const { type, attributes, txIndex } of block.events) {
    if (txIndex !== null && block.txs[txIndex]?.code !== 0) continue
    const { proposal_id: id = '', ...values } = Object.fromEntries(
      attributes.map(({ key, value }) => [key, value]),
    )
    if (type === 'active_proposal' || type === 'cancel_proposal') votes.delete(id)
    const options = parseOptions(values['option'] ?? '')
    const voter = values['voter']
    if (type !== 'proposal_vote' || !voter || !options) continue
    const others = (votes.get(id) ?? []).filter((vote) => vote.voter !== voter)
    votes.set(id, [...others, Vote.fromPartial({ proposalId: BigInt(id), voter, options })])
  }
}

const STORE_KEY = '/store/gov/key'

/** The response of a module that only some chains have; undefined for any other path. */
export type Modules = (
  path: string,
  data: Uint8Array,
  state: ChainState,
) => Uint8Array | AbciAnswer | undefined

export type GovChainOptions = {
  modules?: Modules
  firstHeight?: number
  /** Creates signed headers and proofs of the state, optionally by the given validators. */
  proves?: boolean | MembersAt
}

/** The same block in a chain with real headers, with the hash of its header. */
const signedBlock = (block: Block, last: Block | undefined, headers: SignedHeaders): Block => {
  const previousHash = last?.hash ?? block.previousHash
  return { ...block, previousHash, hash: headers.add({ ...block, previousHash }) }
}

export const createGovChain = ({
  firstHeight = 1,
  proves = false,
  modules,
}: GovChainOptions = {}): GovChain => {
  const members = typeof proves === 'function' ? proves : undefined
  const headers = proves ? createSignedHeaders('test-1', firstHeight, members) : undefined
  const blocks: Block[] = []
  const states: ChainState[] = []
  const queries: { path: string; height: number }[] = []
  let state = emptyState()
  const tip = () => firstHeight + blocks.length - 1
  const append = (sketch: BlockSketch, next: ChainState): number => {
    const height = tip() + 1
    state = next
    const block = createBlock(height, { firstHeight, ...sketch })
    blocks.push(headers ? signedBlock(block, blocks.at(-1), headers) : block)
    states.push(state)
    headers?.commit(state)
    return height
  }
  const chain: GovChain = {
    chainId: 'test-1',
    prunedBelow: 0,
    queries,
    get tip() {
      return tip()
    },
    add: (sketch = {}, change) => {
      const next = structuredClone(state)
      applyVotes(createBlock(tip() + 1, { firstHeight, ...sketch }), next)
      change?.(next)
      return append(sketch, next)
    },
    append,
    blocks: () => blocks,
    status: async () => ({
      chainId: 'test-1',
      latestHeight: tip(),
      latestTime: timeAt(tip()),
      earliestHeight: firstHeight,
      catchingUp: false,
    }),
    block: async (height) => {
      const block = blocks[height - firstHeight]
      if (!block) throw new AppError('HEIGHT_UNAVAILABLE', `no block ${height}`)
      return block
    },
    header: async (height) => {
      const { time, previousHash } = await chain.block(height)
      return { height, time, previousHash }
    },
    searchTxs: async (query) => {
      const [, type, key, id] = /^(\w+)\.(\w+)='(\d+)'$/.exec(query) ?? []
      const matches = (event: AbciEvent) =>
        event.type === type &&
        event.txIndex !== null &&
        event.attributes.some((each) => each.key === key && each.value === id)
      const found = blocks.filter(({ events }) => events.some(matches))
      return { heights: found.map(({ height }) => height), reason: null }
    },
    headers,
    ...(headers
      ? {
          lightBlock: async (height) => {
            const block = headers.lightBlock(height)
            if (!block) throw new AppError('HEIGHT_UNAVAILABLE', `no block ${height}`)
            return block
          },
        }
      : {}),
    abciQuery: async ({ path, data, height }) => {
      queries.push({ path, height })
      const at = height === 0 ? tip() : height
      const known = states[at - firstHeight]
      if (!known || at < chain.prunedBelow) {
        return { kind: 'pruned', log: `failed to load state at height ${at}` }
      }
      if (headers && path === STORE_KEY) {
        return { kind: 'value', value: new Uint8Array(), ...headers.prove(at, data) }
      }
      const ofModule = modules?.(path, data, known)
      if (ofModule instanceof Uint8Array) return { kind: 'value', value: ofModule }
      if (ofModule) return ofModule
      return answerQuery(known, path, data)
    },
    source: () => ({
      follow: async function* ({ from, signal }) {
        for (let height = from; !signal.aborted; height++) {
          while (height > tip() && !signal.aborted) {
            await new Promise((resolve) => setTimeout(resolve, 2))
          }
          const block = blocks[height - firstHeight]
          if (block && !signal.aborted) yield { block, tip: tip() }
        }
      },
    }),
    close: async () => undefined,
  }
  return chain
}
