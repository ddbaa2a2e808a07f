// The governors of AtomOne in the chain in memory: what its module answers, and the tally as its own code counts it.
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { BinaryWriter } from 'cosmjs-types/binary'
import { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import type { AbciAnswer } from '../../../ingest/comet/node.ts'
import { divide, multiply, ONE, parseAtto } from '../../sim/hostile-chain/decimal.ts'
import { account, operator } from './addresses.ts'
import type { Modules } from './gov-chain.ts'
import type { ChainState } from './gov-chain-state.ts'

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

type Writes = (writer: BinaryWriter) => unknown
const encode = (write: Writes): Uint8Array => {
  const writer = new BinaryWriter()
  write(writer)
  return writer.finish()
}
const NOT_FOUND: AbciAnswer = { kind: 'not_found', log: 'governor does not exist' }

/** Shares per pool, in whole units, of all owners who chose the governor. */
const sumShares = (state: ChainState, governor: string): Map<string, bigint> => {
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
  const text = Buffer.from(data)
  const from = 2 + governorAddress(governor).length
  const request = PageRequest.decode(text.subarray(from + 2))
  const at = Number(Buffer.from(request.key).toString() || '0')
  const entries = [...sumShares(state, governor)]
  const [pool, shares] = entries[at] ?? []
  return encode((writer) => {
    if (pool !== undefined) {
      const entry = encode((each) =>
        each
          .uint32(10)
          .string(governorAddress(governor))
          .uint32(18)
          .string(operator(pool))
          .uint32(26)
          .string(`${(shares ?? 0n) * ONE}`),
      )
      writer.uint32(10).bytes(entry)
    }
    const nextKey = at + 1 < entries.length ? Buffer.from(`${at + 1}`) : new Uint8Array()
    const pagination = PageResponse.fromPartial({ nextKey: new Uint8Array(nextKey) })
    writer.uint32(18).bytes(PageResponse.encode(pagination).finish())
  })
}

const path = (method: string): string => `/atomone.gov.v1.Query/${method}`

export const answerGovernors: Modules = (asked, data, state) => {
  const { governors, chosen, minSelfDelegation } = governorsOf(state)
  const text = Buffer.from(data).toString('latin1')
  const governor = findName(governors.keys(), (name) => text.includes(governorAddress(name)))
  switch (asked) {
    case path('Governors'):
      return encode((writer) => writer.uint32(18).bytes(new Uint8Array()))
    case path('GovernanceDelegation'): {
      const owner = findName(chosen.keys(), (name) => text.includes(account(name)))
      if (owner === undefined) return NOT_FOUND
      return encode((writer) => writer.uint32(10).string(governorAddress(chosen.get(owner) ?? '')))
    }
    case path('Governor'): {
      if (governor === undefined) return NOT_FOUND
      const status = governors.get(governor) === 'active' ? 1 : 2
      const entry = encode((each) =>
        each.uint32(10).string(governorAddress(governor)).uint32(16).int32(status),
      )
      return encode((writer) => writer.uint32(10).bytes(entry))
    }
    case path('GovernorValShares'):
      return governor === undefined ? NOT_FOUND : answerShares(state, governor, data)
    case path('Params'): {
      const params = encode((each) => each.uint32(242).string(`${minSelfDelegation}`))
      return encode((writer) => writer.uint32(34).bytes(params))
    }
    default:
      return undefined
  }
}

const bondedPool = ({ pools }: ChainState, name: string) => {
  const pool = pools.get(name)
  if (pool?.status !== 3) return undefined
  return { tokens: pool.tokens, shares: (pool.shares ?? pool.tokens) * ONE }
}

/** In atto, of shares in atto. */
const priceShares = (state: ChainState, name: string, shares: bigint): bigint => {
  const pool = bondedPool(state, name)
  return pool ? divide(shares * pool.tokens, pool.shares) : 0n
}

const hasOwnStake = (state: ChainState, governor: string): boolean => {
  let sum = 0n
  for (const [pool, shares] of state.delegations.get(governor) ?? []) {
    sum += priceShares(state, pool, shares * ONE) / ONE
  }
  return sum >= governorsOf(state).minSelfDelegation
}

/** Yes and no in atto, as `Tally` of AtomOne version 4 counts them. */
export const countVotes = (state: ChainState, proposalId: string): { yes: bigint; no: bigint } => {
  const { governors, chosen } = governorsOf(state)
  const sums = { yes: 0n, no: 0n }
  const names = new Map([...state.delegations.keys()].map((name) => [account(name), name]))
  const deducted = new Map<string, bigint>()
  const voting = new Map<string, readonly { option: number; weight: string }[]>()
  const add = (options: readonly { option: number; weight: string }[], power: bigint) => {
    for (const { option, weight } of options) {
      const part = multiply(power, parseAtto(weight))
      if (option === 1) sums.yes += part
      if (option === 3) sums.no += part
    }
  }
  for (const { voter, options } of state.votes.get(proposalId) ?? []) {
    const name = names.get(voter) ?? ''
    const governor = chosen.get(name)
    if (governor === name) voting.set(governor, options)
    for (const [pool, whole] of state.delegations.get(name) ?? []) {
      if (!bondedPool(state, pool)) continue
      const key = `${governor} ${pool}`
      deducted.set(key, (deducted.get(key) ?? 0n) + whole * ONE)
      add(options, priceShares(state, pool, whole * ONE))
    }
  }
  for (const [governor, options] of voting) {
    if (governors.get(governor) !== 'active' || !hasOwnStake(state, governor)) continue
    let power = 0n
    for (const [pool, whole] of sumShares(state, governor)) {
      power += priceShares(state, pool, whole * ONE - (deducted.get(`${governor} ${pool}`) ?? 0n))
    }
    add(options, power)
  }
  return sums
}
