// Reads x/staking at a height: every pool, the delegations of one voter, the bonded total.
import { Bech32PrefixRequest, Bech32PrefixResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import {
  QueryDelegatorDelegationsRequest,
  QueryDelegatorDelegationsResponse,
  QueryParamsRequest,
  QueryParamsResponse,
  QueryPoolRequest,
  QueryPoolResponse,
  QueryValidatorDelegationsRequest,
  QueryValidatorDelegationsResponse,
  QueryValidatorsRequest,
  QueryValidatorsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import {
  QueryModuleVersionsRequest,
  QueryModuleVersionsResponse,
} from 'cosmjs-types/cosmos/upgrade/v1beta1/query'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { canonicalAddress, compareText, decodeAddress, encodeAddress } from '../contract/address.ts'
import { toDecimal } from '../contract/decimal.ts'
import type { Delegation } from '../contract/delegation.ts'
import type { PoolState } from '../contract/facts.ts'
import { type Answer, isKnown, known, unavailable, withoutFailure } from './answer.ts'
import { ask, askAll, isUnknownMethod } from './query.ts'

const prefixMethod = {
  path: '/cosmos.auth.v1beta1.Query/Bech32Prefix',
  request: Bech32PrefixRequest,
  response: Bech32PrefixResponse,
}

const USUAL_SUFFIX = 'valoper'

/** The setting of the chain, since SDK 0.46. */
const accountPrefixAt = async (
  node: Pick<ChainNode, 'abciQuery'>,
  height: number,
): Promise<string | undefined> => {
  const answer = await ask(node, prefixMethod, { height })
  return (isKnown(answer) && answer.value.bech32Prefix) || undefined
}

export type ToAccountAddress = (operatorAddress: string) => string | undefined

/**
 * Undefined for a text that is no address. If the account prefix is unknown, an account has the prefix of the
 * operator: the bytes are the same. `anyOperator` shows whether the chain uses the suffix of most chains.
 */
export const accountAddressesAt = async (
  node: Pick<ChainNode, 'abciQuery'>,
  { height, anyOperator = '' }: { height: number; anyOperator: string | undefined },
): Promise<ToAccountAddress> => {
  const isUsual = decodeAddress(anyOperator)?.prefix.endsWith(USUAL_SUFFIX) ?? true
  const own = isUsual ? undefined : await accountPrefixAt(node, height)
  return (operatorAddress) => {
    const decoded = decodeAddress(operatorAddress)
    if (!decoded) return undefined
    const { prefix, bytes } = decoded
    const isUsualHere = prefix.endsWith(USUAL_SUFFIX)
    return encodeAddress(
      own ?? (isUsualHere ? prefix.slice(0, -USUAL_SUFFIX.length) : prefix),
      bytes,
    )
  }
}

const moduleVersions = {
  path: '/cosmos.upgrade.v1beta1.Query/ModuleVersions',
  request: QueryModuleVersionsRequest,
  response: QueryModuleVersionsResponse,
}

/** Of x/auth in SDK 0.54: 5 in 0.50 to 0.53. The versions of x/gov and x/staking are the same in all of them. */
const AUTH_VERSION = 6n

/** Since SDK 0.54 the base of the quorum is the sum of the pools that the tally counts, not the balance of the bonded pool. */
export const takesCountedBaseAt = async (
  node: Pick<ChainNode, 'abciQuery'>,
  height: number,
): Promise<Answer<boolean>> => {
  const answer = await ask(node, moduleVersions, { height, moduleName: 'auth' })
  if (isUnknownMethod(answer)) return known(false)
  if (!isKnown(answer)) return withoutFailure(answer)
  const auth = answer.value.moduleVersions.find(({ name }) => name === 'auth')
  return known((auth?.version ?? 0n) >= AUTH_VERSION)
}

type Node = Pick<ChainNode, 'abciQuery' | 'refuse'>

const path = (method: string): string => `/cosmos.staking.v1beta1.Query/${method}`
const POOLS_PER_PAGE = 500
const DELEGATIONS_PER_PAGE = 1_000

const validatorsMethod = {
  path: path('Validators'),
  request: QueryValidatorsRequest,
  response: QueryValidatorsResponse,
  items: (response: QueryValidatorsResponse) => response.validators,
  // Also the limit of the pools in one reading.
  limits: { pages: 1_000, items: 20_000, bytes: 10 * 2 ** 20 },
}
const delegationsMethod = {
  path: path('DelegatorDelegations'),
  request: QueryDelegatorDelegationsRequest,
  response: QueryDelegatorDelegationsResponse,
  items: (response: QueryDelegatorDelegationsResponse) => response.delegationResponses,
  // At most one delegation per validator.
  limits: { pages: 1_000, items: 20_000, bytes: 10 * 2 ** 20 },
}
const paramsMethod = {
  path: path('Params'),
  request: QueryParamsRequest,
  response: QueryParamsResponse,
}
export const poolMethod = {
  path: path('Pool'),
  request: QueryPoolRequest,
  response: QueryPoolResponse,
}

const STATUSES: readonly PoolState['status'][] = ['unspecified', 'unbonded', 'unbonding', 'bonded']

const readProfile = ({ description, commission }: Validator): Pick<PoolState, 'profile'> => {
  if (!description) return {}
  const { website, details, identity } = description
  const rates = commission?.commissionRates
  const rate = rates && toDecimal(rates.rate)
  const maxRate = rates && toDecimal(rates.maxRate)
  const maxChangeRate = rates && toDecimal(rates.maxChangeRate)
  const isKnown = rate && maxRate && maxChangeRate
  const known = isKnown ? { rate, maxRate, maxChangeRate } : null
  return { profile: { website, details, identity, commission: known } }
}

/** Undefined if the numbers or the address of the validator are invalid. */
const readPool = (
  validator: Validator,
  toAccountAddress: ToAccountAddress,
): PoolState | undefined => {
  const accountAddress = toAccountAddress(validator.operatorAddress)
  const delegatorShares = toDecimal(validator.delegatorShares)
  if (!accountAddress || !delegatorShares || !/^\d+$/.test(validator.tokens)) return undefined
  return {
    operatorAddress: canonicalAddress(validator.operatorAddress),
    accountAddress,
    moniker: validator.description?.moniker ?? '',
    tokens: validator.tokens,
    delegatorShares,
    status: STATUSES[validator.status] ?? 'unspecified',
    jailed: validator.jailed,
    ...readProfile(validator),
  }
}

/** Every validator of any status, by operator address. */
export const poolsAt = async (node: Node, height: number): Promise<Answer<PoolState[]>> => {
  const answer = await askAll(node, validatorsMethod, { height, maxItems: POOLS_PER_PAGE })
  if (!isKnown(answer)) return withoutFailure(answer)
  const anyOperator = answer.value[0]?.operatorAddress
  const toAccountAddress = await accountAddressesAt(node, { height, anyOperator })
  const pools: PoolState[] = []
  for (const validator of answer.value) {
    const pool = readPool(validator, toAccountAddress)
    if (!pool) return unavailable(`validator ${validator.operatorAddress} cannot be decoded`)
    pools.push(pool)
  }
  return known(pools.sort((a, b) => compareText(a.operatorAddress, b.operatorAddress)))
}

/** By operator address; empty if the account has no delegations. */
export const delegationsAt = async (
  node: Node,
  delegator: string,
  height: number,
): Promise<Answer<Delegation[]>> => {
  const request = { height, maxItems: DELEGATIONS_PER_PAGE, delegatorAddr: delegator }
  const answer = await askAll(node, delegationsMethod, request)
  if (!isKnown(answer)) {
    return answer.failure?.kind === 'not_found' ? known([]) : withoutFailure(answer)
  }
  const delegations: Delegation[] = []
  for (const { delegation } of answer.value) {
    const shares = delegation && toDecimal(delegation.shares)
    if (!shares) return unavailable(`a delegation of ${delegator} cannot be decoded`)
    delegations.push({ operatorAddress: canonicalAddress(delegation.validatorAddress), shares })
  }
  return known(delegations.sort((a, b) => compareText(a.operatorAddress, b.operatorAddress)))
}

export type PoolDelegationsRequest = {
  height: number
  maxItems: number
  keeps(delegator: string): boolean
  onPage(): void
}
/** One delegation to a known pool. */
export type PoolDelegation = { delegator: string; shares: string }

/**
 * The delegations to one pool by the accounts that `keeps` accepts: a pool may have a million others. Keeps the failure of the
 * node, for a caller that asks for shorter pages. `onPage` is called for each page that was read.
 */
export const poolDelegationsAt = async (
  node: Node,
  operatorAddress: string,
  { height, maxItems, keeps, onPage }: PoolDelegationsRequest,
): Promise<Answer<PoolDelegation[]>> => {
  const method = {
    path: path('ValidatorDelegations'),
    request: QueryValidatorDelegationsRequest,
    response: QueryValidatorDelegationsResponse,
    items: ({ delegationResponses }: QueryValidatorDelegationsResponse) => {
      onPage()
      return delegationResponses.flatMap(({ delegation }) => {
        const delegator = canonicalAddress(delegation?.delegatorAddress ?? '')
        return delegation && keeps(delegator) ? [{ delegator, shares: delegation.shares }] : []
      })
    },
  }
  const request = { height, maxItems, validatorAddr: operatorAddress }
  const answer = await askAll(node, method, request)
  if (!isKnown(answer)) return answer
  const kept: PoolDelegation[] = []
  for (const { delegator, shares: text } of answer.value) {
    const shares = toDecimal(text)
    if (!shares) return unavailable(`a delegation of ${delegator} cannot be decoded`)
    kept.push({ delegator, shares })
  }
  return known(kept)
}

/** Balance of the bonded pool, in base units. */
export const bondedTokensAt = async (node: Node, height: number): Promise<Answer<string>> => {
  const answer = await ask(node, poolMethod, { height })
  if (!isKnown(answer)) return withoutFailure(answer)
  const { pool } = answer.value
  return pool && /^\d+$/.test(pool.bondedTokens)
    ? known(pool.bondedTokens)
    : unavailable('the response of the node lacks the bonded total')
}

/** Maximum number of bonded pools. */
export const maxPoolsAt = async (node: Node, height: number): Promise<Answer<number>> => {
  const answer = await ask(node, paramsMethod, { height })
  if (!isKnown(answer)) return withoutFailure(answer)
  const { params } = answer.value
  return params && params.maxValidators > 0
    ? known(params.maxValidators)
    : unavailable('the response of the node lacks the maximum number of bonded pools')
}
