// A chain in memory, block by block, whose state answers gov v1 and staking queries at every height: no network, no clock.
import { type PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { Params, Proposal, type TallyResult, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import * as gov from 'cosmjs-types/cosmos/gov/v1/query'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { DelegationResponse, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { AppError } from '../../infra/runtime/errors.ts'
import type { Block } from '../../ingest/comet/block.ts'
import type { AbciAnswer, BlockSource, ChainNode } from '../../ingest/comet/node.ts'
import { account, operator } from './addresses.ts'
import { type BlockSketch, blockOf, timeAt } from './blocks.ts'

export type PoolInState = {
  tokens: bigint
  status: number
  jailed: boolean
  /** One share a token where absent. */
  shares?: bigint
  /** Instead of `shares`, in units of 1e-18. */
  attoShares?: bigint
  moniker?: string
}

export type ChainState = {
  proposals: Map<string, Proposal>
  votes: Map<string, Vote[]>
  /** By pool name. */
  pools: Map<string, PoolInState>
  /** Delegator name → pool name → tokens. */
  delegations: Map<string, Map<string, bigint>>
  /** Instead of `delegations`: shares in units of 1e-18. */
  attoDelegations?: Map<string, Map<string, bigint>>
  params: Params
  /** How many pools may be bonded; unlimited where absent. */
  maxPools?: number
  /** Items on a page of a list. */
  pageSize?: number
  /** What the node answers of a vote that is open, by proposal. */
  liveTallies?: Map<string, TallyResult>
}

type Change = (state: ChainState) => void

export type GovChain = ChainNode & {
  readonly tip: number
  /** State below this height is pruned. */
  prunedBelow: number
  readonly queries: readonly { path: string; height: number }[]
  /** Appends a block: its votes are in the state it leaves behind, with the change on top of them. */
  add(sketch?: BlockSketch, change?: Change): number
  /** Appends a block and the state it leaves behind. Nobody may change that state any more. */
  append(sketch: BlockSketch, state: ChainState): number
  blocks(): readonly Block[]
  source(): BlockSource
}

const shares = (tokens: bigint): string => (tokens * 10n ** 18n).toString()
const stamp = (time: string) => ({ seconds: BigInt(Math.floor(Date.parse(time) / 1000)), nanos: 0 })

const chainParams = (): Params =>
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

/** Two per page, so that every list has pages. */
const PAGE = 2

const page = <Item>(
  items: readonly Item[],
  { request, pageSize = PAGE }: { request: PageRequest | undefined; pageSize?: number | undefined },
) => {
  const from = Number(Buffer.from(request?.key ?? []).toString() || '0')
  const to = from + pageSize
  const nextKey = to < items.length ? Buffer.from(String(to)) : new Uint8Array()
  return {
    items: items.slice(from, to),
    pagination: PageResponse.fromPartial({ nextKey: new Uint8Array(nextKey) }),
  }
}

const notFound = (what: string): AbciAnswer => ({ kind: 'not_found', log: `${what} doesn't exist` })
const value = (bytes: Uint8Array): AbciAnswer => ({ kind: 'value', value: bytes })
const unknownPath = (path: string): AbciAnswer => ({
  ...{ kind: 'refused', code: 6, codespace: 'sdk' },
  log: `unknown query path: ${path}`,
})

const validatorOf = (name: string, pool: PoolInState): Validator => {
  const { tokens, status, jailed, moniker = `Pool ${name}` } = pool
  return Validator.fromPartial({
    operatorAddress: operator(name),
    description: { moniker },
    tokens: tokens.toString(),
    delegatorShares: pool.attoShares?.toString() ?? shares(pool.shares ?? tokens),
    status,
    jailed,
  })
}

const validators = ({ pools }: ChainState): Validator[] =>
  [...pools].map(([name, pool]) => validatorOf(name, pool))

const delegationsOf = ({ delegations, attoDelegations }: ChainState, address: string) => {
  const all = attoDelegations ?? delegations
  const sharesText = (amount: bigint) => (attoDelegations ? amount.toString() : shares(amount))
  const [, held] = [...all].find(([name]) => account(name) === address) ?? []
  return [...(held ?? [])].map(([pool, amount]) =>
    DelegationResponse.fromPartial({
      delegation: {
        delegatorAddress: address,
        validatorAddress: operator(pool),
        shares: sharesText(amount),
      },
    }),
  )
}

const tallyOf = (state: ChainState, proposalId: string): TallyResult | undefined => {
  const proposal = state.proposals.get(proposalId)
  return state.liveTallies?.get(proposalId) ?? proposal?.finalTallyResult
}

const bondedTokens = ({ pools }: ChainState): string =>
  [...pools.values()]
    .filter(({ status }) => status === 3)
    .reduce((sum, { tokens }) => sum + tokens, 0n)
    .toString()

const answer = (state: ChainState, path: string, data: Uint8Array): AbciAnswer => {
  const { pageSize } = state
  switch (path) {
    case '/cosmos.gov.v1.Query/Proposal': {
      const { proposalId } = gov.QueryProposalRequest.decode(data)
      const proposal = state.proposals.get(proposalId.toString())
      if (!proposal) return notFound(`proposal ${proposalId}`)
      return value(gov.QueryProposalResponse.encode({ proposal }).finish())
    }
    case '/cosmos.gov.v1.Query/Proposals': {
      const { proposalStatus, pagination } = gov.QueryProposalsRequest.decode(data)
      const all = [...state.proposals.values()].filter(
        ({ status }) => Number(proposalStatus) === 0 || status === proposalStatus,
      )
      const { items, ...rest } = page(all, { request: pagination, pageSize })
      return value(gov.QueryProposalsResponse.encode({ proposals: items, ...rest }).finish())
    }
    case '/cosmos.gov.v1.Query/Votes': {
      const { proposalId, pagination } = gov.QueryVotesRequest.decode(data)
      const { items, ...rest } = page(state.votes.get(proposalId.toString()) ?? [], {
        request: pagination,
        pageSize,
      })
      return value(gov.QueryVotesResponse.encode({ votes: items, ...rest }).finish())
    }
    case '/cosmos.gov.v1.Query/TallyResult': {
      const { proposalId } = gov.QueryTallyResultRequest.decode(data)
      const tally = tallyOf(state, proposalId.toString())
      if (!tally) return notFound(`proposal ${proposalId}`)
      return value(gov.QueryTallyResultResponse.encode({ tally }).finish())
    }
    case '/cosmos.gov.v1.Query/Params':
      return value(
        gov.QueryParamsResponse.encode(
          gov.QueryParamsResponse.fromPartial({ params: state.params }),
        ).finish(),
      )
    case '/cosmos.staking.v1beta1.Query/Validators': {
      const { pagination } = staking.QueryValidatorsRequest.decode(data)
      const { items, ...rest } = page(validators(state), { request: pagination, pageSize })
      return value(staking.QueryValidatorsResponse.encode({ validators: items, ...rest }).finish())
    }
    case '/cosmos.staking.v1beta1.Query/Validator': {
      const { validatorAddr } = staking.QueryValidatorRequest.decode(data)
      const validator = validators(state).find((each) => each.operatorAddress === validatorAddr)
      if (!validator) return notFound(`validator ${validatorAddr}`)
      return value(staking.QueryValidatorResponse.encode({ validator }).finish())
    }
    case '/cosmos.staking.v1beta1.Query/Params': {
      if (state.maxPools === undefined) return unknownPath(path)
      const params = { maxValidators: state.maxPools, bondDenom: 'stake' }
      return value(
        staking.QueryParamsResponse.encode(
          staking.QueryParamsResponse.fromPartial({ params }),
        ).finish(),
      )
    }
    case '/cosmos.staking.v1beta1.Query/DelegatorDelegations': {
      const request = staking.QueryDelegatorDelegationsRequest.decode(data)
      const { items, ...rest } = page(delegationsOf(state, request.delegatorAddr), {
        request: request.pagination,
        pageSize,
      })
      const response = { delegationResponses: items, ...rest }
      return value(staking.QueryDelegatorDelegationsResponse.encode(response).finish())
    }
    case '/cosmos.staking.v1beta1.Query/Pool':
      return value(
        staking.QueryPoolResponse.encode({
          pool: { notBondedTokens: '0', bondedTokens: bondedTokens(state) },
        }).finish(),
      )
    default:
      return unknownPath(path)
  }
}

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

/** `option` as SDK 0.50 writes it; another era's text is for the test to put into the state. */
const optionsOf = (text: string): Vote['options'] | undefined => {
  try {
    return Vote.fromPartial({ options: JSON.parse(text) as Vote['options'] }).options
  } catch {
    return undefined
  }
}

/** What a block's votes and closes leave in x/gov's state, as the module itself would. */
const applyVotes = (block: Block, { votes }: ChainState): void => {
  for (const { type, attributes, txIndex } of block.events) {
    if (txIndex !== null && block.txs[txIndex]?.code !== 0) continue
    const { proposal_id: id = '', ...values } = Object.fromEntries(
      attributes.map(({ key, value }) => [key, value]),
    )
    if (type === 'active_proposal' || type === 'cancel_proposal') votes.delete(id)
    const options = optionsOf(values['option'] ?? '')
    const voter = values['voter']
    if (type !== 'proposal_vote' || !voter || !options) continue
    const others = (votes.get(id) ?? []).filter((vote) => vote.voter !== voter)
    votes.set(id, [...others, Vote.fromPartial({ proposalId: BigInt(id), voter, options })])
  }
}

export const createGovChain = ({ firstHeight = 1 } = {}): GovChain => {
  const blocks: Block[] = []
  const states: ChainState[] = []
  const queries: { path: string; height: number }[] = []
  let state = emptyState()
  const tip = () => firstHeight + blocks.length - 1
  const append = (sketch: BlockSketch, next: ChainState): number => {
    const height = tip() + 1
    state = next
    blocks.push(blockOf(height, { firstHeight, ...sketch }))
    states.push(state)
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
      applyVotes(blockOf(tip() + 1, { firstHeight, ...sketch }), next)
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
    abciQuery: async ({ path, data, height }) => {
      queries.push({ path, height })
      const at = height === 0 ? tip() : height
      const known = states[at - firstHeight]
      if (!known || at < chain.prunedBelow) {
        return { kind: 'pruned', log: `failed to load state at height ${at}` }
      }
      return answer(known, path, data)
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
