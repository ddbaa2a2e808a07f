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

/** What a stored value says. A chain that keeps its state in memory returns the same bytes until the value changes. */
function createMemo<Read>(read: (stored: Uint8Array) => Read): (stored: Uint8Array) => Read {
  const known = new WeakMap<Uint8Array, Read>()
  return (stored) => {
    const found = known.get(stored) ?? read(stored)
    known.set(stored, found)
    return found
  }
}

type Answered = { pool: Uint8Array; params: Uint8Array; bytes: Uint8Array }
type Stake = { poolKey: Uint8Array; shares: bigint; answered: Answered | undefined }

const readPool = createMemo((stored) => Validator.decode(stored))
const readStake = createMemo((stored): Stake => {
  const { validatorAddress, shares } = Delegation.decode(stored)
  const poolKey = lengthPrefixed(parseAddress(validatorAddress))
  return { poolKey, shares: BigInt(shares), answered: undefined }
})

/** Adds to a delegation the value of its shares in its pool, in whole units. */
export function createBalances(state: StateView): (delegation: Uint8Array) => Uint8Array {
  const params = state.single('staking.params')
  const { bondDenom } = Params.decode(params)
  return (delegation) => {
    const stake = readStake(delegation)
    const pool = state.get('pool', stake.poolKey)
    if (!pool) throw new Error('a delegation to a pool that is not there')
    const { answered } = stake
    if (answered?.pool === pool && answered.params === params) return answered.bytes
    const { tokens, delegatorShares } = readPool(pool)
    const worth = truncate(quo(stake.shares * BigInt(tokens), BigInt(delegatorShares)))
    const coin = fields([
      [1, bondDenom],
      [2, String(worth)],
    ])
    const bytes = fields([
      [1, delegation],
      [2, coin],
    ])
    stake.answered = { pool, params, bytes }
    return bytes
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
