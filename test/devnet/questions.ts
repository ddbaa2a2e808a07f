// The queries that Rollcall sends, in every form that a node allows, asked at one height: found, absent, paged, filtered, malformed.
import { toBech32 } from '@cosmjs/encoding'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import {
  QueryDepositsRequest,
  QueryParamsRequest,
  QueryProposalRequest,
  QueryProposalsRequest,
  QueryProposalsResponse,
  QueryTallyResultRequest,
  QueryVotesRequest,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import {
  QueryDelegatorDelegationsRequest,
  QueryValidatorDelegationsRequest,
  QueryValidatorsRequest,
  QueryValidatorsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'

const GOV = '/cosmos.gov.v1.Query'
const STAKING = '/cosmos.staking.v1beta1.Query'

export type Question = { path: string; data: Uint8Array }
/** Queries at a fixed height. */
export type AskNode = (question: Question) => Promise<Uint8Array>

const page = (part: Partial<PageRequest>) => PageRequest.fromPartial(part)
const PAGES = [
  page({}),
  page({ limit: 3n }),
  page({ limit: 3n, countTotal: true }),
  page({ offset: 2n, limit: 4n, countTotal: true }),
  page({ limit: 1_000n, reverse: true }),
  page({ limit: 2n, reverse: true }),
  page({ offset: 100_000n, limit: 5n, countTotal: true }),
]
const UNUSED_ADDRESS = toBech32('wasm', new Uint8Array(20))

const ask = (path: string, data: Uint8Array): Question => ({ path, data })

function aboutProposal(id: bigint): Question[] {
  return [
    ask(`${GOV}/Proposal`, QueryProposalRequest.encode({ proposalId: id }).finish()),
    ask(`${GOV}/TallyResult`, QueryTallyResultRequest.encode({ proposalId: id }).finish()),
    ...PAGES.flatMap((pagination) => [
      ask(`${GOV}/Votes`, QueryVotesRequest.encode({ proposalId: id, pagination }).finish()),
      ask(`${GOV}/Deposits`, QueryDepositsRequest.encode({ proposalId: id, pagination }).finish()),
    ]),
  ]
}

function aboutProposals(): Question[] {
  const lists = PAGES.flatMap((pagination) =>
    [0, 1, 2, 3, 4, 5, 9].map((proposalStatus) =>
      QueryProposalsRequest.fromPartial({ proposalStatus, pagination }),
    ),
  )
  return lists.map((request) =>
    ask(`${GOV}/Proposals`, QueryProposalsRequest.encode(request).finish()),
  )
}

function aboutParams(): Question[] {
  const types = ['', 'voting', 'deposit', 'tallying', 'nonsense']
  return [
    ...types.map((paramsType) =>
      ask(`${GOV}/Params`, QueryParamsRequest.encode({ paramsType }).finish()),
    ),
    ask(`${STAKING}/Params`, new Uint8Array()),
    ask(`${STAKING}/Pool`, new Uint8Array()),
  ]
}

function aboutPools(operators: readonly string[], delegators: readonly string[]): Question[] {
  const statuses = ['', 'BOND_STATUS_BONDED', 'BOND_STATUS_UNBONDING', 'bonded']
  const lists = PAGES.flatMap((pagination) =>
    statuses.map((status) =>
      ask(`${STAKING}/Validators`, QueryValidatorsRequest.encode({ status, pagination }).finish()),
    ),
  )
  const one = operators.flatMap((validatorAddr) =>
    PAGES.map((pagination) =>
      ask(
        `${STAKING}/ValidatorDelegations`,
        QueryValidatorDelegationsRequest.encode({ validatorAddr, pagination }).finish(),
      ),
    ),
  )
  const stakes = delegators.flatMap((delegatorAddr) =>
    PAGES.map((pagination) =>
      ask(
        `${STAKING}/DelegatorDelegations`,
        QueryDelegatorDelegationsRequest.encode({ delegatorAddr, pagination }).finish(),
      ),
    ),
  )
  return [...lists, ...one, ...stakes]
}

const MALFORMED: readonly Question[] = [
  ask(`${GOV}/Proposal`, new Uint8Array()),
  ask(`${GOV}/Votes`, QueryVotesRequest.encode(QueryVotesRequest.fromPartial({})).finish()),
  ask(`${GOV}/Proposal`, Buffer.from('08', 'hex')),
]

/** Pages that continue where another ended, from the node's own next key. */
async function continued(node: AskNode, id: bigint): Promise<Question[]> {
  const first = ask(
    `${GOV}/Votes`,
    QueryVotesRequest.encode({ proposalId: id, pagination: page({ limit: 3n }) }).finish(),
  )
  const { pagination } = QueryVotesResponse.decode(await node(first))
  const key = pagination?.nextKey ?? new Uint8Array()
  const pools = ask(
    `${STAKING}/Validators`,
    QueryValidatorsRequest.encode({
      status: 'BOND_STATUS_BONDED',
      pagination: page({ limit: 5n }),
    }).finish(),
  )
  const poolKey = QueryValidatorsResponse.decode(await node(pools)).pagination?.nextKey
  return [false, true].flatMap((reverse) => [
    ask(
      `${GOV}/Votes`,
      QueryVotesRequest.encode({
        proposalId: id,
        pagination: page({ key, limit: 4n, reverse }),
      }).finish(),
    ),
    ask(
      `${STAKING}/Validators`,
      QueryValidatorsRequest.encode({
        status: 'BOND_STATUS_BONDED',
        pagination: page({ key: poolKey ?? new Uint8Array(), limit: 5n, reverse }),
      }).finish(),
    ),
  ])
}

/** The questions for one height, made from what the node itself says is there. */
export async function questionsAt(node: AskNode): Promise<Question[]> {
  const everything = page({ limit: 10_000n })
  const proposals = QueryProposalsResponse.decode(
    await node(
      ask(
        `${GOV}/Proposals`,
        QueryProposalsRequest.encode(
          QueryProposalsRequest.fromPartial({ pagination: everything }),
        ).finish(),
      ),
    ),
  ).proposals
  const ids = proposals.map(({ id }) => id)
  const open = proposals.filter(({ status }) => status === 2).map(({ id }) => id)
  const votes = await Promise.all(
    open.map(async (proposalId) => {
      const data = QueryVotesRequest.encode({ proposalId, pagination: everything }).finish()
      return QueryVotesResponse.decode(await node(ask(`${GOV}/Votes`, data))).votes
    }),
  )
  const voters = [UNUSED_ADDRESS, ...new Set(votes.flat().map(({ voter }) => voter))]
  const some = voters.filter((_, index) => index % 25 === 0)
  const pools = QueryValidatorsResponse.decode(
    await node(
      ask(
        `${STAKING}/Validators`,
        QueryValidatorsRequest.encode({ status: '', pagination: everything }).finish(),
      ),
    ),
  ).validators
  const operators = pools.map(({ operatorAddress }) => operatorAddress)
  const fewPools = operators.filter((_, index) => index % 9 === 0)
  // The richest pool has the most delegators, and pages of them.
  const richest = pools.reduce((a, b) => (BigInt(a.tokens) > BigInt(b.tokens) ? a : b))
  return [
    ...aboutParams(),
    ...aboutProposals(),
    ...[...ids, 0n, 999n].flatMap(aboutProposal),
    ...aboutPools([...fewPools, richest.operatorAddress], some),
    ...(await Promise.all(open.slice(0, 2).map((id) => continued(node, id)))).flat(),
    ...MALFORMED,
  ]
}
