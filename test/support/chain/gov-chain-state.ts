// The state of the chain in memory at one height, and its responses to gov v1 and staking queries.
import { BinaryWriter } from 'cosmjs-types/binary'
import { type PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { type Params, Proposal, type TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import * as gov from 'cosmjs-types/cosmos/gov/v1/query'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { DelegationResponse, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { proposalKey } from '../../../infra/base/proof/proposal.ts'
import type { AbciAnswer } from '../../../ingest/comet/node.ts'
import type { Recomputable } from '../../../ingest/tally/tally.ts'
import { account, operator } from './addresses.ts'
import { type PoolInState, type TalliedState, tallyInState } from './state-tally.ts'

export type ChainState = TalliedState & {
  proposals: Map<string, Proposal>
  params: Params
  /** Maximum number of bonded pools; unlimited by default. */
  maxPools?: number
  /** Items on a page of a list. */
  pageSize?: number
  /** Proposals of a type that the node does not register: it refuses them, and each list of proposals. */
  unregistered?: Set<string>
  /** What the node serves of its raw store of x/gov; all by default. */
  store?: { subspace?: false; nextId?: false; proposals?: false }
  /** The package of x/gov, without its version; null if the chain has no x/gov. `cosmos.gov` by default. */
  govPackage?: string | null
  /** The chain has a staking module of its own in place of x/staking. */
  lacksStaking?: true
  /** How the node reports its messages, if at all. */
  reflection?: 'types' | 'files'
  /** Packages whose messages the node reports, although it has no such module. */
  unusedTypes?: string[]
  /** What modules that only some chains have keep, for the `modules` of the chain. */
  moduleState?: Map<string, unknown>
  /** The rule of the node's tallies of open votes; that of x/gov by default. */
  countsBy?: Recomputable
  /** Replaces the tally that the node reports for an open vote, by proposal. */
  liveTallies?: Map<string, TallyResult>
}

const shares = (tokens: bigint): string => (tokens * 10n ** 18n).toString()

/** Two per page, so that every list has pages. */
const PAGE = 2

const page = <Item>(
  items: readonly Item[],
  { request, pageSize = PAGE }: { request: PageRequest | undefined; pageSize?: number | undefined },
) => {
  const from = Number(Buffer.from(request?.key ?? []).toString() || '0')
  const to = from + Math.min(Number(request?.limit || pageSize), pageSize)
  const nextKey = to < items.length ? Buffer.from(String(to)) : new Uint8Array()
  return {
    items: items.slice(from, to),
    pagination: PageResponse.fromPartial({ nextKey: new Uint8Array(nextKey) }),
  }
}

const notFound = (what: string): AbciAnswer => ({ kind: 'not_found', log: `${what} doesn't exist` })
const value = (bytes: Uint8Array): AbciAnswer => ({ kind: 'value', value: bytes })
const refused = (log: string): AbciAnswer => ({ kind: 'refused', code: 6, codespace: 'sdk', log })

const unknownPath = (path: string) => refused(`unknown query path: ${path}`)

const toValidator = (name: string, pool: PoolInState): Validator => {
  const { tokens, status, jailed, moniker = `Pool ${name}` } = pool
  return Validator.fromPartial({
    operatorAddress: operator(name),
    description: { moniker },
    tokens: `${tokens}`,
    delegatorShares: pool.attoShares?.toString() ?? shares(pool.shares ?? tokens),
    status,
    jailed,
  })
}

const validators = ({ pools }: ChainState): Validator[] =>
  [...pools].map(([name, pool]) => toValidator(name, pool))

const toDelegation = (
  { attoDelegations }: ChainState,
  { delegator, pool, amount }: { delegator: string; pool: string; amount: bigint },
): DelegationResponse =>
  DelegationResponse.fromPartial({
    delegation: {
      delegatorAddress: delegator,
      validatorAddress: operator(pool),
      shares: attoDelegations ? amount.toString() : shares(amount),
    },
  })

const listDelegations = (state: ChainState, delegator: string): DelegationResponse[] => {
  const all = state.attoDelegations ?? state.delegations
  const [, delegated] = [...all].find(([name]) => account(name) === delegator) ?? []
  return [...(delegated ?? [])].map(([pool, amount]) =>
    toDelegation(state, { delegator, pool, amount }),
  )
}

/** The same delegations, from the side of one pool. */
const listPoolDelegations = (state: ChainState, operatorAddress: string): DelegationResponse[] => {
  const [pool = ''] = [...state.pools.keys()].filter((name) => operator(name) === operatorAddress)
  return [...(state.attoDelegations ?? state.delegations)].flatMap(([name, delegated]) => {
    const amount = delegated.get(pool)
    return amount ? [toDelegation(state, { delegator: account(name), pool, amount })] : []
  })
}

const VOTING_PERIOD = 2

const getTally = (state: ChainState, proposalId: string): TallyResult | undefined => {
  const proposal = state.proposals.get(proposalId)
  if (proposal?.status !== VOTING_PERIOD) return proposal?.finalTallyResult
  return state.liveTallies?.get(proposalId) ?? tallyInState(state, proposalId, state.countsBy)
}

const bondedTokens = ({ pools }: ChainState): string =>
  [...pools.values()]
    .filter(({ status }) => status === 3)
    .reduce((sum, { tokens }) => sum + tokens, 0n)
    .toString()

const unregisteredType = (): AbciAnswer => ({
  kind: 'refused',
  code: 1,
  codespace: 'undefined',
  log: 'no concrete type registered for type URL /name.v1.MsgOld against interface *types.Msg',
})

const lengthDelimited = (no: number, bytes: Uint8Array): Buffer =>
  Buffer.from(
    new BinaryWriter()
      .uint32((no << 3) | 2)
      .bytes(bytes)
      .finish(),
  )

/** The raw store of x/gov, as SDK 0.40 to 0.54 write it. */
const answerStore = (
  { store, proposals }: ChainState,
  path: string,
  data: Uint8Array,
): AbciAnswer => {
  if (path === '/store/gov/subspace') {
    if (store?.subspace === false) return unknownPath(path)
    const pairs = [...proposals].map(([id, proposal]) => [
      lengthDelimited(1, proposalKey(BigInt(id))),
      lengthDelimited(2, Proposal.encode(proposal).finish()),
    ])
    return value(Buffer.concat(pairs.map((pair) => lengthDelimited(1, Buffer.concat(pair)))))
  }
  const key = Buffer.from(data)
  if (key.length === 1) {
    const next = Buffer.alloc(8)
    next.writeBigUInt64BE(
      [...proposals.keys()].reduce((last, id) => (last > BigInt(id) ? last : BigInt(id)), 0n) + 1n,
    )
    return store?.nextId === false ? unknownPath(path) : value(next)
  }
  const proposal = proposals.get(`${key.readBigUInt64BE(1)}`)
  if (store?.proposals === false) return unknownPath(path)
  return value(proposal ? Proposal.encode(proposal).finish() : new Uint8Array())
}

const noSuchStore = () => refused('no such store: gov: unknown request')

const UPSTREAM_GOV = 'cosmos.gov'
const TYPES_PATH = '/cosmos.base.reflection.v1beta1.ReflectionService/ListImplementations'
const FILES_PATH = '/cosmos.reflection.v1.ReflectionService/FileDescriptors'

/** The vote message of x/gov among others, as a type URL or as the input of a method. */
const answerReflection = (
  { reflection, govPackage = UPSTREAM_GOV, unusedTypes = [] }: ChainState,
  path: string,
): AbciAnswer => {
  const packages = [...(govPackage ? [govPackage] : []), ...unusedTypes]
  const types = ['cosmos.group.v1.MsgVote', ...packages.map((name) => `${name}.v1.MsgVote`)]
  if (reflection === 'types' && path === TYPES_PATH) {
    return value(Buffer.concat(types.map((type) => lengthDelimited(1, Buffer.from(`/${type}`)))))
  }
  if (reflection !== 'files' || path !== FILES_PATH) return unknownPath(path)
  const methods = types.map((type) => lengthDelimited(2, Buffer.from(`.${type}`)))
  return value(lengthDelimited(1, Buffer.concat(methods)))
}

/** The responses of the node at one height. */
export const answerQuery = (state: ChainState, asked: string, data: Uint8Array): AbciAnswer => {
  const { pageSize, govPackage = UPSTREAM_GOV } = state
  const isGov = asked.startsWith(`/${govPackage}.`)
  if (asked.startsWith(`/${UPSTREAM_GOV}.`) && !isGov) return unknownPath(asked)
  if (state.lacksStaking && asked.startsWith('/cosmos.staking.')) return unknownPath(asked)
  const path = isGov ? asked.replace(`${govPackage}`, UPSTREAM_GOV) : asked
  switch (path) {
    case TYPES_PATH:
    case FILES_PATH:
      return answerReflection(state, path)
    case '/cosmos.gov.v1.Query/Proposal': {
      const { proposalId } = gov.QueryProposalRequest.decode(data)
      const proposal = state.proposals.get(proposalId.toString())
      if (!proposal) return notFound(`proposal ${proposalId}`)
      if (state.unregistered?.has(proposalId.toString())) return unregisteredType()
      return value(gov.QueryProposalResponse.encode({ proposal }).finish())
    }
    case '/cosmos.gov.v1.Query/Proposals': {
      const { proposalStatus, pagination } = gov.QueryProposalsRequest.decode(data)
      if (state.unregistered) return unregisteredType()
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
      const tally = getTally(state, proposalId.toString())
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
      const { items, ...rest } = page(listDelegations(state, request.delegatorAddr), {
        request: request.pagination,
        pageSize,
      })
      const response = { delegationResponses: items, ...rest }
      return value(staking.QueryDelegatorDelegationsResponse.encode(response).finish())
    }
    case '/cosmos.staking.v1beta1.Query/ValidatorDelegations': {
      const request = staking.QueryValidatorDelegationsRequest.decode(data)
      const { items, ...rest } = page(listPoolDelegations(state, request.validatorAddr), {
        request: request.pagination,
        pageSize,
      })
      const response = { delegationResponses: items, ...rest }
      return value(staking.QueryValidatorDelegationsResponse.encode(response).finish())
    }
    case '/cosmos.staking.v1beta1.Query/Pool':
      return value(
        staking.QueryPoolResponse.encode({
          pool: { notBondedTokens: '0', bondedTokens: bondedTokens(state) },
        }).finish(),
      )
    case '/store/gov/key':
    case '/store/gov/subspace':
      return govPackage === null ? noSuchStore() : answerStore(state, path, data)
    case '/cosmos.auth.v1beta1.Query/Params':
      return value(new Uint8Array())
    default:
      return unknownPath(path)
  }
}
