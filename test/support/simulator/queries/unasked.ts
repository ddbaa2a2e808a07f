// Queries of x/gov and x/staking that Rollcall does not send, as the chain answers them.
import * as gov from 'cosmjs-types/cosmos/gov/v1/query'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { requireId } from '../../../../infra/app/chain/gov-queries.ts'
import {
  createQuery,
  parseAddress,
  type Queries,
  refuse,
} from '../../../../infra/app/chain/query.ts'
import { bytesField, stringField } from '../../../../infra/app/chain/raw-message.ts'
import { createBalances, requireAddress } from '../../../../infra/app/chain/staking-queries.ts'
import { delegationKey, idAddressKey, lengthPrefixed } from '../../../../infra/app/chain/state.ts'

const vote = createQuery(gov.QueryVoteRequest, (request, state) => {
  const id = requireId(request)
  const { voter } = request
  if (voter === '') refuse('invalid', 'empty voter address')
  const found = state.get('vote', idAddressKey(id, parseAddress(voter)))
  // The chain calls this an invalid argument, not a missing one.
  return bytesField(1, found ?? refuse('invalid', `voter: ${voter} not found for proposal: ${id}`))
})

const deposit = createQuery(gov.QueryDepositRequest, (request, state) => {
  const id = requireId(request)
  const { depositor } = request
  if (depositor === '') refuse('invalid', 'empty depositor address')
  const found = state.get('deposit', idAddressKey(id, parseAddress(depositor)))
  const missing = `collections: not found: key '("${id}", "${depositor}")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit`
  return bytesField(1, found ?? refuse('missing', missing))
})

const constitution = createQuery(gov.QueryConstitutionRequest, (_request, state) =>
  stringField(1, Buffer.from(state.single('gov.constitution')).toString('utf8')),
)

const validator = createQuery(staking.QueryValidatorRequest, ({ validatorAddr }, state) => {
  const key = lengthPrefixed(requireAddress(validatorAddr, 'validator'))
  const found = state.get('pool', key)
  return bytesField(1, found ?? refuse('missing', `validator ${validatorAddr} not found`))
})

const delegation = createQuery(staking.QueryDelegationRequest, (request, state) => {
  const { delegatorAddr: delegator, validatorAddr: pool } = request
  if (delegator === '') refuse('invalid', 'delegator address cannot be empty')
  if (pool === '') refuse('invalid', 'validator address cannot be empty')
  const found = state.get('delegation', delegationKey(parseAddress(delegator), parseAddress(pool)))
  const missing = `delegation with delegator ${delegator} not found for validator ${pool}`
  return bytesField(1, createBalances(state)(found ?? refuse('missing', missing)))
})

/** No chain here keeps a history of headers (`historical_entries` is 0). */
const historicalInfo = createQuery(staking.QueryHistoricalInfoRequest, ({ height }) => {
  if (height < 0n) refuse('invalid', 'height cannot be negative')
  return refuse('missing', `historical info for height ${height} not found`)
})

const GOV = '/cosmos.gov.v1.Query'
const STAKING = '/cosmos.staking.v1beta1.Query'
export const UNASKED_QUERIES: Queries = {
  [`${GOV}/Vote`]: vote,
  [`${GOV}/Deposit`]: deposit,
  [`${GOV}/Constitution`]: constitution,
  [`${STAKING}/Validator`]: validator,
  [`${STAKING}/Delegation`]: delegation,
  [`${STAKING}/HistoricalInfo`]: historicalInfo,
}
