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

type Question = { path: string; data: Uint8Array }
/** Queries at a fixed height. */
type AskNode = (question: Question) => Promise<Uint8Array>

type Request<Value> = {
  fromPartial(value: never): Value
  encode(value: Value): { finish(): Uint8Array }
}

const ask = <Value>(path: string, type: Request<Value>, value: Partial<Value> = {}): Question => ({
  path,
  data: type.encode(type.fromPartial(value as never)).finish(),
})

const page = (part: Partial<PageRequest>) => PageRequest.fromPartial(part)
const EVERYTHING = page({ limit: 10_000n })
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
const BONDED = 'BOND_STATUS_BONDED'

const askVotes = (proposalId: bigint, pagination: PageRequest) =>
  ask(`${GOV}/Votes`, QueryVotesRequest, { proposalId, pagination })
const askPools = (status: string, pagination: PageRequest) =>
  ask(`${STAKING}/Validators`, QueryValidatorsRequest, { status, pagination })

const aboutProposal = (proposalId: bigint): Question[] => [
  ask(`${GOV}/Proposal`, QueryProposalRequest, { proposalId }),
  ask(`${GOV}/TallyResult`, QueryTallyResultRequest, { proposalId }),
  ...PAGES.flatMap((pagination) => [
    askVotes(proposalId, pagination),
    ask(`${GOV}/Deposits`, QueryDepositsRequest, { proposalId, pagination }),
  ]),
]

const aboutParams = (): Question[] => [
  ...['', 'voting', 'deposit', 'tallying', 'nonsense'].map((paramsType) =>
    ask(`${GOV}/Params`, QueryParamsRequest, { paramsType }),
  ),
  { path: `${STAKING}/Params`, data: new Uint8Array() },
  { path: `${STAKING}/Pool`, data: new Uint8Array() },
]

/** For one kind of page. */
const aboutLists = (
  pagination: PageRequest,
  operators: readonly string[],
  delegators: readonly string[],
): Question[] => [
  ...[0, 1, 2, 3, 4, 5, 9].map((proposalStatus) =>
    ask(`${GOV}/Proposals`, QueryProposalsRequest, { proposalStatus, pagination }),
  ),
  ...['', BONDED, 'BOND_STATUS_UNBONDING', 'bonded'].map((status) => askPools(status, pagination)),
  ...operators.map((validatorAddr) =>
    ask(`${STAKING}/ValidatorDelegations`, QueryValidatorDelegationsRequest, {
      validatorAddr,
      pagination,
    }),
  ),
  ...delegators.map((delegatorAddr) =>
    ask(`${STAKING}/DelegatorDelegations`, QueryDelegatorDelegationsRequest, {
      delegatorAddr,
      pagination,
    }),
  ),
]

const MALFORMED: readonly Question[] = [
  { path: `${GOV}/Proposal`, data: new Uint8Array() },
  ask(`${GOV}/Votes`, QueryVotesRequest),
  { path: `${GOV}/Proposal`, data: Buffer.from('08', 'hex') },
]

/** Pages that continue where another ended, from the node's own next key. */
async function continued(node: AskNode, id: bigint): Promise<Question[]> {
  const votes = QueryVotesResponse.decode(await node(askVotes(id, page({ limit: 3n }))))
  const pools = QueryValidatorsResponse.decode(await node(askPools(BONDED, page({ limit: 5n }))))
  const key = votes.pagination?.nextKey ?? new Uint8Array()
  const poolKey = pools.pagination?.nextKey ?? new Uint8Array()
  return [false, true].flatMap((reverse) => [
    askVotes(id, page({ key, limit: 4n, reverse })),
    askPools(BONDED, page({ key: poolKey, limit: 5n, reverse })),
  ])
}

/** The questions for one height, made from what the node itself says is there. */
export async function questionsAt(node: AskNode): Promise<Question[]> {
  const all = ask(`${GOV}/Proposals`, QueryProposalsRequest, { pagination: EVERYTHING })
  const { proposals } = QueryProposalsResponse.decode(await node(all))
  const { validators } = QueryValidatorsResponse.decode(await node(askPools('', EVERYTHING)))
  const open = proposals.filter(({ status }) => status === 2).map(({ id }) => id)
  const readVotes = async (id: bigint) =>
    QueryVotesResponse.decode(await node(askVotes(id, EVERYTHING))).votes
  const votes = (await Promise.all(open.map(readVotes))).flat()
  const voters = [UNUSED_ADDRESS, ...new Set(votes.map(({ voter }) => voter))]
  // The richest pool has the most delegators, and pages of them.
  const richest = validators.reduce((a, b) => (BigInt(a.tokens) > BigInt(b.tokens) ? a : b))
  const pools = [...validators.filter((_, index) => index % 9 === 0), richest]
  const operators = pools.map(({ operatorAddress }) => operatorAddress)
  const delegators = voters.filter((_, index) => index % 25 === 0)
  return [
    ...aboutParams(),
    ...[...proposals.map(({ id }) => id), 0n, 999n].flatMap(aboutProposal),
    ...PAGES.flatMap((pagination) => aboutLists(pagination, operators, delegators)),
    ...(await Promise.all(open.slice(0, 2).map((id) => continued(node, id)))).flat(),
    ...MALFORMED,
  ]
}
