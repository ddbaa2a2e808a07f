// The rule of providers of Interchain Security since version 6: only the pools that validate the provider itself count.
// Source: cosmos/interchain-security, x/ccv/provider/keeper/staking_keeper_interface.go and its provider.proto.
import { WireType } from '@bufbuild/protobuf/wire'
import { QueryParamsRequest } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { isKnown, known, unavailable } from '../chain/answer.ts'
import { askModule } from '../chain/query.ts'
import { lastBytes, readFields } from '../schema/wire.ts'
import type { RuleModule } from './applied-rule.ts'

/** `max_provider_consensus_validators`: earlier versions do not have it. */
const LIMIT_FIELD = 12

/** Its request has no fields. The limit is 0 if the parameters do not have it. */
const paramsMethod = {
  path: '/interchain_security.ccv.provider.v1.Query/QueryParams',
  request: QueryParamsRequest,
  response: {
    decode: (bytes: Uint8Array): number => {
      const params = readFields(lastBytes(readFields(bytes), 1))
      const limit = params.findLast(
        ({ no, wireType }) => no === LIMIT_FIELD && wireType === WireType.Varint,
      )
      return Number(limit?.value ?? 0)
    },
  },
}

export const provider: RuleModule = {
  name: 'provider',
  find: async (node, height) => {
    const answer = await askModule(node, paramsMethod, { height })
    if (!isKnown(answer) || answer.value === undefined) return answer
    const maxPools = answer.value
    if (maxPools === 0) return known(undefined)
    return Number.isSafeInteger(maxPools)
      ? known({ name: 'provider', maxPools })
      : unavailable(`the provider’s limit of pools that count is invalid: ${maxPools}`)
  },
}
