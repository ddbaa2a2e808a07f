// The state of a real chain at one height, read through its public queries, as the state of a simulated chain.
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import * as gov from 'cosmjs-types/cosmos/gov/v1/query'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { ChainState } from '../simulator/state/chain-state.ts'

const GOV = '/cosmos.gov.v1.Query'
const STAKING = '/cosmos.staking.v1beta1.Query'
const pagination = PageRequest.fromPartial({ limit: 1_000_000n })
const NO_MEMBERS = new Uint8Array()

export type Ask = (path: string, data: Uint8Array) => Promise<Uint8Array>

const readProposals = async (ask: Ask): Promise<ChainState['proposals']> => {
  const request = gov.QueryProposalsRequest.fromPartial({ pagination })
  const data = gov.QueryProposalsRequest.encode(request).finish()
  const { proposals } = gov.QueryProposalsResponse.decode(await ask(`${GOV}/Proposals`, data))
  return new Map(proposals.map((proposal) => [`${proposal.id}`, proposal]))
}

/** By proposal; a deleted one has neither. */
const readVotesAndDeposits = async (ask: Ask, ids: readonly string[]) => {
  const votes: ChainState['votes'] = new Map()
  const deposits: NonNullable<ChainState['deposits']> = new Map()
  for (const id of ids) {
    const proposalId = BigInt(id)
    const ofVotes = gov.QueryVotesRequest.encode({ proposalId, pagination }).finish()
    const voted = gov.QueryVotesResponse.decode(await ask(`${GOV}/Votes`, ofVotes))
    votes.set(id, voted.votes)
    const ofDeposits = gov.QueryDepositsRequest.encode({ proposalId, pagination }).finish()
    const paid = gov.QueryDepositsResponse.decode(await ask(`${GOV}/Deposits`, ofDeposits))
    deposits.set(id, paid.deposits)
  }
  return { votes, deposits }
}

const readPools = async (ask: Ask): Promise<ChainState['pools']> => {
  const request = staking.QueryValidatorsRequest.fromPartial({ pagination })
  const data = staking.QueryValidatorsRequest.encode(request).finish()
  const answer = await ask(`${STAKING}/Validators`, data)
  const { validators } = staking.QueryValidatorsResponse.decode(answer)
  return new Map(
    validators.map((details) => {
      const { operatorAddress, tokens, delegatorShares, status, jailed } = details
      const attoShares = BigInt(delegatorShares)
      return [operatorAddress, { tokens: BigInt(tokens), attoShares, status, jailed, details }]
    }),
  )
}

const readDelegations = async (ask: Ask, pools: Iterable<string>) => {
  const all: NonNullable<ChainState['attoDelegations']> = new Map()
  for (const validatorAddr of pools) {
    const request = { validatorAddr, pagination }
    const data = staking.QueryValidatorDelegationsRequest.encode(request).finish()
    const answer = await ask(`${STAKING}/ValidatorDelegations`, data)
    const page = staking.QueryValidatorDelegationsResponse.decode(answer)
    for (const { delegation } of page.delegationResponses) {
      const { delegatorAddress, shares } = delegation
      const own = all.get(delegatorAddress) ?? new Map<string, bigint>()
      all.set(delegatorAddress, own.set(validatorAddr, BigInt(shares)))
    }
  }
  return all
}

export const loadState = async (ask: Ask): Promise<ChainState> => {
  const proposals = await readProposals(ask)
  const pools = await readPools(ask)
  const { params } = gov.QueryParamsResponse.decode(await ask(`${GOV}/Params`, NO_MEMBERS))
  if (!params) throw new Error('the node says no parameters of x/gov')
  const ofStaking = await ask(`${STAKING}/Params`, NO_MEMBERS)
  const stakingParams = staking.QueryParamsResponse.decode(ofStaking).params
  const { pool } = staking.QueryPoolResponse.decode(await ask(`${STAKING}/Pool`, NO_MEMBERS))
  return {
    proposals,
    pools,
    params,
    stakingParams,
    maxPools: stakingParams.maxValidators,
    notBondedTokens: BigInt(pool.notBondedTokens),
    delegations: new Map(),
    attoDelegations: await readDelegations(ask, pools.keys()),
    pageSize: Number.MAX_SAFE_INTEGER,
    ...(await readVotesAndDeposits(ask, [...proposals.keys()])),
  }
}
