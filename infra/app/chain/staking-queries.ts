// The gRPC queries of x/staking (cosmos.staking.v1beta1) on the state of one height. Balances are computed as on the chain.
import type { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { Delegation, Params, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { quo, truncate } from '../../../ingest/contract/decimal.ts'
import { paginateFiltered, readPage, writePage } from './pagination.ts'
import { createQuery, parseAddress, type Queries, refuse } from './query.ts'
import { bytesField, fields } from './raw-message.ts'
import { type Entry, lengthPrefixed, type StateView } from './state.ts'

const STATUSES: ReadonlyMap<string, number> = new Map([
  ['BOND_STATUS_UNBONDED', 1],
  ['BOND_STATUS_UNBONDING', 2],
  ['BOND_STATUS_BONDED', 3],
])

export function requireAddress(text: string, whose: string): Uint8Array {
  if (text === '') refuse('invalid', `${whose} address cannot be empty`)
  return parseAddress(text)
}

const validators = createQuery(staking.QueryValidatorsRequest, (request, state) => {
  const { status, pagination } = request
  const wanted = STATUSES.get(status)
  if (status !== '' && wanted === undefined) refuse('invalid', `invalid validator status ${status}`)
  const include = ({ value }: Entry) =>
    wanted === undefined || Validator.decode(value).status === wanted
  const page = readPage(pagination, state.pageSize)
  return writePage(paginateFiltered(state.list('pool'), page, include))
})

/** Adds to a delegation the value of its shares in its pool, in whole units. */
export function createBalances(state: StateView): (delegation: Uint8Array) => Uint8Array {
  const { bondDenom } = Params.decode(state.single('staking.params'))
  const pools = new Map<string, Validator>()
  const readPool = (address: string): Validator => {
    const stored = state.get('pool', lengthPrefixed(parseAddress(address)))
    if (!stored) throw new Error('a delegation to a pool that is not there')
    const pool = Validator.decode(stored)
    pools.set(address, pool)
    return pool
  }
  return (delegation) => {
    const { validatorAddress: address, shares } = Delegation.decode(delegation)
    const { tokens, delegatorShares } = pools.get(address) ?? readPool(address)
    const worth = truncate(quo(BigInt(shares) * BigInt(tokens), BigInt(delegatorShares)))
    const coin = fields([
      [1, bondDenom],
      [2, String(worth)],
    ])
    return fields([
      [1, delegation],
      [2, coin],
    ])
  }
}

function writeDelegations(
  entries: readonly Entry[],
  pagination: PageRequest | undefined,
  state: StateView,
): Buffer {
  const page = paginateFiltered(entries, readPage(pagination, state.pageSize))
  return writePage({ ...page, items: page.items.map(createBalances(state)) })
}

const validatorDelegations = createQuery(
  staking.QueryValidatorDelegationsRequest,
  ({ validatorAddr, pagination }, state) => {
    const pool = requireAddress(validatorAddr, 'validator')
    return writeDelegations(state.delegationsTo(pool), pagination, state)
  },
)

const delegatorDelegations = createQuery(
  staking.QueryDelegatorDelegationsRequest,
  ({ delegatorAddr, pagination }, state) => {
    const delegator = requireAddress(delegatorAddr, 'delegator')
    return writeDelegations(state.list('delegation', lengthPrefixed(delegator)), pagination, state)
  },
)

const pool = createQuery(staking.QueryPoolRequest, (_request, state) =>
  bytesField(1, state.single('staking.pool')),
)
const params = createQuery(staking.QueryParamsRequest, (_request, state) =>
  bytesField(1, state.single('staking.params')),
)

const SERVICE = '/cosmos.staking.v1beta1.Query'
export const STAKING_QUERIES: Queries = {
  [`${SERVICE}/Validators`]: validators,
  [`${SERVICE}/ValidatorDelegations`]: validatorDelegations,
  [`${SERVICE}/DelegatorDelegations`]: delegatorDelegations,
  [`${SERVICE}/Pool`]: pool,
  [`${SERVICE}/Params`]: params,
}
