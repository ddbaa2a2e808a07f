// The rule of Osmosis: superfluid locks vote with the staked tokens that they are worth.
// Source: osmosis-labs/osmosis, x/superfluid/keeper/stake.go (`IterateDelegations`) and proto/osmosis/superfluid/query.proto.
import { isKnown, known, unavailable, withoutFailure } from '../chain/answer.ts'
import { ask, askModule } from '../chain/query.ts'
import { canonicalAddress } from '../contract/address.ts'
import { toWholeDecimal } from '../contract/decimal.ts'
import type { Delegation } from '../contract/delegation.ts'
import type { WireField } from '../schema/wire.ts'
import type { RuleModule } from './applied-rule.ts'
import { createMethod, readEntries, readText } from './module-method.ts'

const SOURCE = 'superfluid'

const path = (method: string): string => `/osmosis.superfluid.Query/${method}`

const paramsMethod = createMethod(path('Params'), { decode: (fields) => fields })

type Record = { operatorAddress: string; tokens: string }

/** `equivalent_staked_amount`: versions before it do not say what a lock is worth. */
const readRecord = (fields: WireField[]): Record => ({
  operatorAddress: canonicalAddress(readText(fields, 2)),
  tokens: readText(readEntries(fields, 4)[0] ?? [], 2),
})

/** Not of locks that are unbonding. */
const delegationsMethod = createMethod(path('SuperfluidDelegationsByDelegator'), {
  decode: (fields) => readEntries(fields, 1).map(readRecord),
})

const toDelegation = ({ operatorAddress, tokens }: Record): Delegation => ({
  operatorAddress,
  shares: toWholeDecimal(BigInt(tokens)),
  source: SOURCE,
  tokens,
})

export const superfluid: RuleModule = {
  name: 'superfluid',
  find: async (node, height) => {
    const answer = await askModule(node, paramsMethod, { height, texts: {} })
    if (!isKnown(answer) || answer.value === undefined) return answer
    return known({
      name: 'superfluid',
      stakeOf: async (voter, delegations) => {
        const locks = await ask(node, delegationsMethod, { height, texts: { 1: voter } })
        if (!isKnown(locks)) return withoutFailure(locks)
        const isValid = ({ tokens }: Record) => /^\d{1,77}$/.test(tokens)
        return locks.value.every(isValid)
          ? known([...delegations, ...locks.value.map(toDelegation)])
          : unavailable(`the worth of a superfluid lock of ${voter} is not known`)
      },
    })
  },
}
