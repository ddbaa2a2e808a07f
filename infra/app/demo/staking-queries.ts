// The gRPC queries of x/staking (cosmos.staking.v1beta1) on recorded state. Balances are computed as on the chain.
import { quo, truncate } from '../../../ingest/contract/decimal.ts'
import { parseAddress, type Query } from './gov-queries.ts'
import { paginateFiltered, paginateStore, readPageRequest, writePage } from './pagination.ts'
import { bytesField, concat, readFields, readText, readUint, stringField } from './protobuf.ts'
import { refuse } from './refusal.ts'
import { delegationKey, lengthPrefixed } from './state-changes.ts'
import type { Entry, StateAt } from './state-history.ts'

const POOL = { status: 4, tokens: 5, shares: 6 } as const
const STATUSES: Record<string, bigint> = {
  BOND_STATUS_UNBONDED: 1n,
  BOND_STATUS_UNBONDING: 2n,
  BOND_STATUS_BONDED: 3n,
}
const BOND_DENOM_FIELD = 5

function requireAddress(text: string, whose: string): Uint8Array {
  if (text === '') refuse('invalid', `${whose} address cannot be empty`)
  return parseAddress(text)
}

const validators: Query = (request, state) => {
  const requestedStatus = readText(request, 1)
  if (requestedStatus !== '' && STATUSES[requestedStatus] === undefined) {
    refuse('invalid', `invalid validator status ${requestedStatus}`)
  }
  const include = ({ value }: Entry) =>
    requestedStatus === '' || readUint(readFields(value), POOL.status) === STATUSES[requestedStatus]
  return writePage(paginateFiltered(state.list('pool'), readPageRequest(request, 2), include))
}

const validator: Query = (request, state) => {
  const address = readText(request, 1)
  const key = lengthPrefixed(requireAddress(address, 'validator'))
  return bytesField(
    1,
    state.get('pool', key) ?? refuse('missing', `validator ${address} not found`),
  )
}

/** A delegation with the value of its shares in its pool, in whole units. */
function withBalance(delegation: Uint8Array, state: StateAt): Buffer {
  const fields = readFields(delegation)
  const pool = state.get('pool', lengthPrefixed(parseAddress(readText(fields, 2))))
  if (!pool) throw new Error('a delegation to a pool that is not there')
  const poolFields = readFields(pool)
  const shares = BigInt(readText(fields, 3))
  const tokens = BigInt(readText(poolFields, POOL.tokens))
  const poolShares = BigInt(readText(poolFields, POOL.shares))
  const worth = truncate(quo(shares * tokens, poolShares))
  const denom = readText(readFields(state.single('staking.params')), BOND_DENOM_FIELD)
  const coin = concat([stringField(1, denom), stringField(2, String(worth))])
  return concat([bytesField(1, delegation), bytesField(2, coin)])
}

function delegationPage(entries: Entry[], request: Parameters<Query>[0], state: StateAt): Buffer {
  const page = paginateStore(entries, readPageRequest(request, 2))
  return writePage({ ...page, items: page.items.map((item) => withBalance(item, state)) })
}

const validatorDelegations: Query = (request, state) => {
  const pool = requireAddress(readText(request, 1), 'validator')
  return delegationPage(state.delegationsTo(pool), request, state)
}

const delegatorDelegations: Query = (request, state) => {
  const delegator = requireAddress(readText(request, 1), 'delegator')
  return delegationPage(state.list('delegation', lengthPrefixed(delegator)), request, state)
}

const delegation: Query = (request, state) => {
  const delegator = readText(request, 1)
  const pool = readText(request, 2)
  if (delegator === '') refuse('invalid', 'delegator address cannot be empty')
  if (pool === '') refuse('invalid', 'validator address cannot be empty')
  const found = state.get('delegation', delegationKey(parseAddress(delegator), parseAddress(pool)))
  const missing = `delegation with delegator ${delegator} not found for validator ${pool}`
  return bytesField(1, withBalance(found ?? refuse('missing', missing), state))
}

const pool: Query = (_request, state) => bytesField(1, state.single('staking.pool'))
const params: Query = (_request, state) => bytesField(1, state.single('staking.params'))

/** The demo chain keeps no header history (`historical_entries` is 0). */
const historicalInfo: Query = (request) => {
  const height = BigInt.asIntN(64, readUint(request, 1))
  if (height < 0n) refuse('invalid', 'height cannot be negative')
  return refuse('missing', `historical info for height ${height} not found`)
}

const SERVICE = '/cosmos.staking.v1beta1.Query'
export const STAKING_QUERIES: Record<string, Query> = {
  [`${SERVICE}/Validators`]: validators,
  [`${SERVICE}/Validator`]: validator,
  [`${SERVICE}/ValidatorDelegations`]: validatorDelegations,
  [`${SERVICE}/DelegatorDelegations`]: delegatorDelegations,
  [`${SERVICE}/Delegation`]: delegation,
  [`${SERVICE}/Pool`]: pool,
  [`${SERVICE}/Params`]: params,
  [`${SERVICE}/HistoricalInfo`]: historicalInfo,
}
