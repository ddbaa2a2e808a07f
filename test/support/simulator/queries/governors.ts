// The governors of AtomOne: accounts that vote with the stake of all owners who chose them.
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { refuse } from '../../../../infra/app/chain/query.ts'
import {
  bytesField,
  concat,
  readBytes,
  readFields,
  stringField,
  uintField,
} from '../../../../infra/app/chain/raw-message.ts'
import { account, operator } from '../addresses.ts'
import type { ChainState } from '../state/chain-state.ts'
import type { Modules } from './simulated.ts'

export type Governors = {
  /** By name. */
  governors: Map<string, 'active' | 'inactive'>
  /** Name of the owner → name of the governor. */
  chosen: Map<string, string>
  minSelfDelegation: bigint
}

const KEY = 'governors'

export const governorsOf = ({ moduleState }: ChainState): Governors =>
  moduleState?.get(KEY) as Governors

export const setGovernors = (state: ChainState, governors: Governors): void => {
  state.moduleState = new Map([[KEY, governors]])
}

/** The same bytes as the account. */
export const governorAddress = (name: string): string =>
  toBech32('cosmosgov', fromBech32(account(name)).data)

const ATTO = 10n ** 18n
const refuseMissing = (): never => refuse('missing', 'governor does not exist')

/** Shares per pool, in whole units, of all owners who chose the governor. */
export const sumShares = (state: ChainState, governor: string): Map<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const [owner, chosen] of governorsOf(state).chosen) {
    if (chosen !== governor) continue
    for (const [pool, shares] of state.delegations.get(owner) ?? []) {
      sums.set(pool, (sums.get(pool) ?? 0n) + shares)
    }
  }
  return sums
}

const findName = (names: Iterable<string>, has: (name: string) => boolean): string | undefined =>
  [...names].find(has)

/** One entry per page. */
const answerShares = (state: ChainState, governor: string, data: Uint8Array): Uint8Array => {
  const request = PageRequest.decode(readBytes(readFields(data), 2) ?? new Uint8Array())
  const at = Number(Buffer.from(request.key).toString() || '0')
  const entries = [...sumShares(state, governor)]
  const shown = entries.slice(at, at + 1).map(([pool, shares]) => {
    const parts = [governorAddress(governor), operator(pool), `${shares * ATTO}`]
    return bytesField(1, concat(parts.map((part, index) => stringField(index + 1, part))))
  })
  const nextKey = new Uint8Array(at + 1 < entries.length ? Buffer.from(`${at + 1}`) : [])
  const pagination = PageResponse.encode(PageResponse.fromPartial({ nextKey })).finish()
  return concat([...shown, bytesField(2, pagination)])
}

const path = (method: string): string => `/atomone.gov.v1.Query/${method}`

export const answerGovernors: Modules = (asked, data, state) => {
  const { governors, chosen, minSelfDelegation } = governorsOf(state)
  const text = Buffer.from(data).toString('latin1')
  const governor = findName(governors.keys(), (name) => text.includes(governorAddress(name)))
  switch (asked) {
    case path('Governors'):
      return bytesField(2, new Uint8Array())
    case path('GovernanceDelegation'): {
      const owner = findName(chosen.keys(), (name) => text.includes(account(name)))
      if (owner === undefined) return refuseMissing()
      return stringField(1, governorAddress(chosen.get(owner) ?? ''))
    }
    case path('Governor'): {
      if (governor === undefined) return refuseMissing()
      const status = governors.get(governor) === 'active' ? 1n : 2n
      const address = stringField(1, governorAddress(governor))
      return bytesField(1, concat([address, uintField(2, status)]))
    }
    case path('GovernorValShares'):
      return governor === undefined ? refuseMissing() : answerShares(state, governor, data)
    case path('Params'):
      return bytesField(4, stringField(30, `${minSelfDelegation}`))
    default:
      return undefined
  }
}
