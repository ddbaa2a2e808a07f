// All governance state before the first indexed block, as chunked events: what no event of that block or later tells.
import { type Answer, isKnown, valueOrNull } from './chain/answer.ts'
import { proposalsAt, votesAt } from './chain/gov.ts'
import type { StateVote } from './chain/gov-v1.ts'
import { createStateAt, type StateAt } from './chain/state-at.ts'
import type { Block } from './comet/block.ts'
import type { ChainNode } from './comet/node.ts'
import { ORDINAL, SUB_LIMIT } from './contract/envelope.ts'
import type { EventOf } from './contract/events.ts'
import {
  type PoolState,
  strategyMember,
  type TallyStrategy,
  type VoteState,
} from './contract/facts.ts'
import { derive } from './derive.ts'
import { eventAt, splitBySize } from './event-at.ts'
import { votesOf } from './open-proposals.ts'
import { roundInState } from './vote-round.ts'

type ChainSnapshot = EventOf<'rollcall.chain.snapshot.v1'>
type SnapshotProposal = ChainSnapshot['data']['proposals'][number]
type Unavailable = ChainSnapshot['data']['unavailable'][number]
type Node = Pick<ChainNode, 'abciQuery'>

/**
 * The height before `block`. A chain's first block has none: its own state then stands in, less
 * what the block's events will tell again (see `withoutOwnFacts`).
 */
const stateHeightBefore = ({ height, previousHash }: Block): number =>
  previousHash === '' ? height : height - 1

const voteState = async (
  state: StateAt,
  proposalId: string,
  { voter, options }: StateVote,
): Promise<VoteState> => {
  const delegations = await state.delegations(voter)
  return {
    ...{ proposalId, voter, options },
    delegations: valueOrNull(delegations),
    delegationsReason: isKnown(delegations) ? null : delegations.unavailable,
  }
}

const NO_PROPOSER = 'this version of the SDK does not store it'

type Gathered = {
  proposals: SnapshotProposal[]
  votes: VoteState[]
  pools: PoolState[]
  params: ChainSnapshot['data']['params']
  bondedTokens: string | null
  unavailable: Unavailable[]
}

const gather = async (node: Node, state: StateAt, { time }: Block): Promise<Gathered> => {
  const unavailable: Unavailable[] = []
  const take = <Value>(what: string, answer: Answer<Value>): Value | null => {
    if (!isKnown(answer)) unavailable.push({ what, reason: answer.unavailable })
    return valueOrNull(answer)
  }
  const [proposalsAnswer, poolsAnswer, paramsAnswer, bondedAnswer] = await Promise.all([
    proposalsAt(node, state.height),
    state.pools(),
    state.params(),
    state.bondedTokens(),
  ])
  const contents = take('proposals', proposalsAnswer) ?? []
  const pools = take('pools', poolsAnswer) ?? []
  const params = take('parameters', paramsAnswer)
  const proposals = contents.map((content) => ({
    ...content,
    ...roundInState(content, { params, time }),
    ...(content.proposal.proposer === null ? { proposerReason: NO_PROPOSER } : {}),
  }))
  const bondedTokens = take('bonded tokens', bondedAnswer)
  const voting = proposals.filter(({ proposal }) => proposal.status === 'voting_period')
  const votes: VoteState[] = []
  for (const { proposal } of voting) {
    const { proposalId } = proposal
    const cast = take(votesOf(proposalId), await votesAt(node, proposalId, state.height))
    const states = (cast ?? []).map((vote) => voteState(state, proposalId, vote))
    for (const state of await Promise.all(states)) votes.push(state)
  }
  return { proposals, votes, pools, params, bondedTokens, unavailable }
}

/** The first block's state has what its own events did: they tell it themselves. */
const withoutOwnFacts = (gathered: Gathered, block: Block): Gathered => {
  const { facts } = derive(block)
  const submitted = new Set<string>()
  const cast = new Set<string>()
  for (const fact of facts) {
    if (fact.kind === 'submitted') submitted.add(fact.proposalId)
    if (fact.kind === 'vote_cast') cast.add(`${fact.proposalId}/${fact.voter}`)
  }
  return {
    ...gathered,
    proposals: gathered.proposals.filter(({ proposal }) => !submitted.has(proposal.proposalId)),
    votes: gathered.votes.filter(
      ({ proposalId, voter }) => !submitted.has(proposalId) && !cast.has(`${proposalId}/${voter}`),
    ),
  }
}

type Item =
  | { list: 'proposals'; item: SnapshotProposal }
  | { list: 'votes'; item: VoteState }
  | { list: 'pools'; item: PoolState }

/** Pools first, then proposals, then votes: a reader never meets a vote before its proposal. */
const chunksOf = ({ proposals, votes, pools }: Gathered): Item[][] =>
  splitBySize<Item>([
    ...pools.map((item) => ({ list: 'pools', item }) as const),
    ...proposals.map((item) => ({ list: 'proposals', item }) as const),
    ...votes.map((item) => ({ list: 'votes', item }) as const),
  ])

const listed = (items: readonly Item[]) => {
  const data: Pick<Gathered, 'proposals' | 'votes' | 'pools'> = {
    proposals: [],
    votes: [],
    pools: [],
  }
  for (const each of items) {
    if (each.list === 'proposals') data.proposals.push(each.item)
    else if (each.list === 'votes') data.votes.push(each.item)
    else data.pools.push(each.item)
  }
  return data
}

const NO_ROOM: Unavailable = {
  what: 'a part of the proposals and votes',
  reason: 'they are more than one height has room for',
}

/** `block` is the first indexed one: the snapshot stands before its events, at ordinal 0. */
export const snapshotEvents = async (
  node: Node,
  block: Block,
  strategy: TallyStrategy = 'inherit',
): Promise<ChainSnapshot[]> => {
  const stateHeight = stateHeightBefore(block)
  const isOwnState = stateHeight === block.height
  const found = await gather(node, createStateAt(node, stateHeight), block)
  const gathered = isOwnState ? withoutOwnFacts(found, block) : found
  const all = chunksOf(gathered)
  // About a gigabyte: an event id has no room for more.
  const chunks = all.slice(0, SUB_LIMIT)
  const unavailable =
    chunks.length === all.length ? gathered.unavailable : [...gathered.unavailable, NO_ROOM]
  return chunks.map((items, chunk) =>
    eventAt(
      block,
      { ordinal: ORDINAL.before, sub: chunk },
      {
        type: 'rollcall.chain.snapshot.v1',
        data: {
          chunk,
          chunks: chunks.length,
          stateHeight,
          ...listed(items),
          params: chunk === 0 ? gathered.params : null,
          ...(chunk === 0 ? strategyMember(strategy) : {}),
          bondedTokens: chunk === 0 ? gathered.bondedTokens : null,
          unavailable: chunk === 0 ? unavailable : [],
        },
      },
    ),
  )
}
