// A closed vote of the size of the Cosmos Hub on a chain of twenty million blocks, which exists only where it is read.
import { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import type { Proposal, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryValidatorDelegationsRequest,
  QueryValidatorDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { DelegationResponse } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { isKnown } from '../../../ingest/chain/answer.ts'
import { proposalAt as readProposal } from '../../../ingest/chain/gov.ts'
import type { AbciAnswer, ChainReader } from '../../../ingest/comet/endpoints/node.ts'
import type { ProposalState } from '../../../ingest/contract/facts.ts'
import type { BlockTime } from '../../../ingest/past-rounds/round-ends.ts'
import { account, operator } from '../simulator/addresses.ts'
import { endEvent } from '../simulator/gov-events.ts'
import {
  type ChainState,
  chainParams,
  proposalAt,
  toTimestamp,
  voteBy,
} from '../simulator/state/chain-state.ts'
import { tallyInState } from '../simulator/state/node-tally.ts'
import { createBlock } from './decoded-block.ts'
import { createStateAnswers } from './memory-chain.ts'
import { createRandom } from './synthetic-parts.ts'

export type HubVoteOptions = {
  voters: number
  pools?: number
  bonded?: number
  /** Delegations to the bonded pools by accounts that did not vote. */
  others?: number
}

export type HubVote = {
  node: ChainReader
  target: ProposalState
  tip: BlockTime
  /** Number of requests by kind; a block takes two. */
  reads: ReadonlyMap<string, number>
}

const ID = '900'
const TIP = 20_000_000
const CLOSED = 13_456_789
const START_MS = Date.UTC(2021, 1, 18)
const VALIDATOR_DELEGATIONS = '/cosmos.staking.v1beta1.Query/ValidatorDelegations'
const LARGEST_PAGE = 5_000

/** Blocks take between 5.5 and 7.5 seconds, by era, and some seconds more or less each. */
const timeOf = (height: number): string => {
  const era = 6_500 * height + 400_000_000 * Math.sin(height / 1_300_000)
  return new Date(START_MS + era + 700 * Math.sin(height * 1.7)).toISOString()
}

const createState = ({ voters, pools = 542, bonded = 180 }: HubVoteOptions): ChainState => {
  const random = createRandom(7)
  const delegations = new Map<string, Map<string, bigint>>()
  const votes: Vote[] = []
  const tokens = new Map<string, bigint>()
  for (let at = 0; at < voters; at++) {
    const own = new Map<string, bigint>()
    for (let count = 1 + (at % 20); count > 0; count--) {
      const isBonded = random(10) > 0
      // The smallest of three: most stake is in a few pools.
      const popular = Math.min(random(bonded), random(bonded), random(bonded))
      const pool = isBonded ? popular : bonded + random(pools - bonded)
      own.set(`pool ${pool}`, BigInt(1 + random(1_000_000_000)))
    }
    for (const [pool, amount] of own) tokens.set(pool, (tokens.get(pool) ?? 0n) + amount)
    delegations.set(`voter ${at}`, own)
    votes.push(voteBy(ID, `voter ${at}`, 1 + (at % 4)))
  }
  const all = Array.from({ length: pools }, (_, at) => {
    const name = `pool ${at}`
    const staked = (tokens.get(name) ?? 0n) + 10n ** 12n
    return [name, { tokens: staked, status: at < bonded ? 3 : 1, jailed: false }] as const
  })
  return {
    proposals: new Map(),
    votes: new Map([[ID, votes]]),
    pools: new Map(all),
    delegations,
    params: chainParams(),
    maxPools: bonded,
    pageSize: LARGEST_PAGE,
  }
}

const filler = DelegationResponse.fromPartial({
  delegation: {
    delegatorAddress: account('other'),
    validatorAddress: operator('pool 0'),
    shares: '123456789.000000000000000000',
  },
})

/** Encoded once: a page has thousands. */
const FILLER = QueryValidatorDelegationsResponse.encode(
  QueryValidatorDelegationsResponse.fromPartial({ delegationResponses: [filler] }),
).finish()
const FILLERS = Buffer.concat(Array.from({ length: LARGEST_PAGE }, () => FILLER))

type StateAnswers = ReturnType<typeof createStateAnswers>
type States = { paged: StateAnswers; whole: StateAnswers }

/** The delegations of voters come first, then those of others. */
const answerByPool = (
  answerWhole: StateAnswers,
  data: Uint8Array,
  othersOf: (operatorAddress: string) => number,
): AbciAnswer => {
  const request = QueryValidatorDelegationsRequest.decode(data)
  const from = Number(Buffer.from(request.pagination?.key ?? []).toString() || '0')
  const limit = Math.min(Number(request.pagination?.limit || 100n), LARGEST_PAGE)
  const whole = { ...request, pagination: PageRequest.fromPartial({ limit: BigInt(2 ** 40) }) }
  const answer = answerWhole(
    VALIDATOR_DELEGATIONS,
    QueryValidatorDelegationsRequest.encode(whole).finish(),
  )
  if (answer.kind !== 'value') return answer
  const own = QueryValidatorDelegationsResponse.decode(answer.value).delegationResponses
  const total = own.length + othersOf(request.validatorAddr)
  const to = Math.min(from + limit, total)
  const delegationResponses = own.slice(from, to)
  const nextKey = new Uint8Array(to < total ? Buffer.from(`${to}`) : [])
  const pagination = PageResponse.fromPartial({ nextKey })
  const others = FILLERS.subarray(0, FILLER.length * (to - from - delegationResponses.length))
  const page = QueryValidatorDelegationsResponse.encode({ delegationResponses, pagination })
  return { kind: 'value', value: Buffer.concat([page.finish(), others]) }
}

/** A few pools have most delegators. */
const createOthers = ({ bonded = 180, others = 1_000_000 }: HubVoteOptions) => {
  const weights = Array.from({ length: bonded }, (_, at) => 1 / (at + 3))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const counts = new Map(
    weights.map((weight, at) => [operator(`pool ${at}`), Math.floor((others * weight) / sum)]),
  )
  return (operatorAddress: string): number => counts.get(operatorAddress) ?? 0
}

const openProposal = (): Proposal => ({
  ...proposalAt(ID, 1, 2),
  votingStartTime: toTimestamp(timeOf(CLOSED - 200_000)),
  votingEndTime: toTimestamp(timeOf(CLOSED)),
})

export const createHubVote = async (options: HubVoteOptions): Promise<HubVote> => {
  const before = createState(options)
  before.proposals.set(ID, openProposal())
  const finalTallyResult = tallyInState(before, ID)
  const closed = { ...openProposal(), status: 4, finalTallyResult }
  const after = { ...before, votes: new Map(), proposals: new Map([[ID, closed]]) }
  const [stateBefore, stateAfter] = [before, after].map((state) => ({
    paged: createStateAnswers(state),
    whole: createStateAnswers({ ...state, pageSize: 2 ** 40 }),
  })) as [States, States]
  const othersOf = createOthers(options)
  const reads = new Map<string, number>()
  const count = (kind: string, requests = 1) => reads.set(kind, (reads.get(kind) ?? 0) + requests)
  const node: ChainReader = {
    chainId: 'test-1',
    status: async () => {
      count('status')
      const latest = { latestHeight: TIP, latestTime: timeOf(TIP), catchingUp: false }
      return { chainId: 'test-1', earliestHeight: 1, ...latest }
    },
    header: async (height) => {
      count('header')
      const { previousHash } = createBlock(height)
      return { height, time: timeOf(height), previousHash }
    },
    block: async (height) => {
      count('block', 2)
      const end = height === CLOSED ? [endEvent(ID, 'proposal_rejected')] : []
      return createBlock(height, { time: timeOf(height), end })
    },
    searchTxs: async () => ({ heights: [], reason: 'no index' }),
    abciQuery: async ({ path, data, height }) => {
      count(path.split('/').at(-1) ?? '')
      const { whole, paged } = height === 0 || height >= CLOSED ? stateAfter : stateBefore
      return path === VALIDATOR_DELEGATIONS
        ? answerByPool(whole, data, othersOf)
        : paged(path, data)
    },
  }
  const found = await readProposal(node, ID, 0)
  if (!isKnown(found)) throw new Error(found.unavailable)
  reads.clear()
  return { node, target: found.value.proposal, tip: { height: TIP, time: timeOf(TIP) }, reads }
}
