// The rules of AtomOne. Since version 4 governors, not operators, vote with the stake of owners who chose them; before it, a vote has only
// the stake of its voter.
// Sources: atomone-hub/cosmos-sdk, x/gov/keeper/{tally,governor,hooks}.go and proto/cosmos/gov/v1; atomone-hub/atomone,
// proto/atomone/gov/v1 and x/gov/keeper/tally.go of versions 1 to 3.
import { PageRequest, type PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { QueryParamsRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { type Answer, isKnown, known, unavailable, withoutFailure } from '../chain/answer.ts'
import { ask, askAll, askModule, isUnknownMethod } from '../chain/query.ts'
import { addressKey, canonicalAddress, decodeAddress, encodeAddress } from '../contract/address.ts'
import { parseDecimal, quo, toDecimal, truncate } from '../contract/decimal.ts'
import type { Delegation } from '../contract/delegation.ts'
import type { PoolState } from '../contract/facts.ts'
import type { WireField } from '../schema/wire.ts'
import { GOVERNOR } from '../tally/tally.ts'
import type { ReadPools, RuleModule, RuleNode } from './applied-rule.ts'
import { createMethod, readEntries, readPage, readText } from './module-method.ts'

/** Version 4 has both packages of x/gov. Their parameters have other numbers. */
const PACKAGES = [
  { name: 'atomone.gov.v1', minSelfDelegationField: 30 },
  { name: 'cosmos.gov.v1', minSelfDelegationField: 31 },
] as const

const ACTIVE = 1n
const SHARES_PER_PAGE = 1_000

const isActive = (response: WireField[]): boolean =>
  (readEntries(response, 1)[0] ?? []).findLast(({ no }) => no === 2)?.value === ACTIVE

type SharesPage = { entries: WireField[][]; pagination: PageResponse }

const METHODS = PACKAGES.map(({ name, minSelfDelegationField }) => {
  const path = (method: string) => `/${name}.Query/${method}`
  return {
    governors: createMethod(path('Governors'), { page: 1, decode: () => undefined }),
    governorOf: createMethod(path('GovernanceDelegation'), {
      decode: (response) => readText(response, 1),
    }),
    isActive: createMethod(path('Governor'), { decode: isActive }),
    poolShares: {
      ...createMethod<SharesPage>(path('GovernorValShares'), {
        page: 2,
        decode: (response) => ({
          entries: readEntries(response, 1),
          pagination: readPage(response, 2),
        }),
      }),
      items: ({ entries }: SharesPage) =>
        entries.map((entry) => ({ pool: readText(entry, 2), shares: readText(entry, 3) })),
      // At most one entry per pool.
      limits: { pages: 1_000, items: 20_000, bytes: 10 * 2 ** 20 },
    },
    minSelfDelegation: createMethod(path('Params'), {
      decode: (response) => readText(readEntries(response, 4)[0] ?? [], minSelfDelegationField),
    }),
  }
})

type Asking = { node: RuleNode; height: number; methods: (typeof METHODS)[number] }

const isNotFound = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && answer.failure?.kind === 'not_found'

/** `address` as the chain writes it, `account` the account with its bytes. */
type Governor = { address: string; account: string }

const findGovernor = async (
  { node, height, methods }: Asking,
  voter: string,
): Promise<Answer<Governor | undefined>> => {
  const answer = await ask(node, methods.governorOf, { height, texts: { 1: voter } })
  if (isNotFound(answer)) return known(undefined)
  if (!isKnown(answer)) return withoutFailure(answer)
  const governor = decodeAddress(answer.value)
  const own = decodeAddress(voter)
  return governor && own
    ? known({ address: answer.value, account: encodeAddress(own.prefix, governor.bytes) })
    : unavailable(`the governor of ${voter} has no valid address`)
}

/** The bonded tokens of delegations, in whole base units each. */
const sumBonded = (delegations: readonly Delegation[], pools: readonly PoolState[]): bigint => {
  const bonded = new Map(
    pools.filter(({ status }) => status === 'bonded').map((pool) => [pool.operatorAddress, pool]),
  )
  let sum = 0n
  for (const { operatorAddress, shares } of delegations) {
    const pool = bonded.get(operatorAddress)
    const all = pool ? parseDecimal(pool.delegatorShares) : 0n
    if (pool && all > 0n) sum += truncate(quo(parseDecimal(shares) * BigInt(pool.tokens), all))
  }
  return sum
}

const readMinSelfDelegation = async ({
  node,
  height,
  methods,
}: Asking): Promise<Answer<bigint>> => {
  const answer = await ask(node, methods.minSelfDelegation, { height, texts: {} })
  if (!isKnown(answer)) return withoutFailure(answer)
  return /^\d{1,78}$/.test(answer.value)
    ? known(BigInt(answer.value))
    : unavailable('the parameters lack the minimum self-delegation of a governor')
}

/** Whether a governor is active. */
const readActive = async (
  { node, height, methods }: Asking,
  { address }: Governor,
): Promise<Answer<boolean>> => {
  const answer = await ask(node, methods.isActive, { height, texts: { 1: address } })
  if (isNotFound(answer)) return known(false)
  return isKnown(answer) ? answer : withoutFailure(answer)
}

const byOperator = (one: Delegation, other: Delegation): number =>
  one.operatorAddress < other.operatorAddress ? -1 : 1

/** The stake of all owners who chose the governor. */
const readGoverned = async (
  { node, height, methods }: Asking,
  { address }: Governor,
): Promise<Answer<Delegation[]>> => {
  const request = { height, maxItems: SHARES_PER_PAGE, texts: { 1: address } }
  const answer = await askAll(node, methods.poolShares, request)
  if (!isKnown(answer)) return isNotFound(answer) ? known([]) : withoutFailure(answer)
  const governed: Delegation[] = []
  for (const { pool, shares: text } of answer.value) {
    const shares = toDecimal(text)
    if (!shares) return unavailable(`the stake of the governor ${address} cannot be decoded`)
    governed.push({ operatorAddress: canonicalAddress(pool), shares, source: GOVERNOR })
  }
  return known(governed.sort(byOperator))
}

const createStakeReader = (asking: Asking) => {
  let limit: Promise<Answer<bigint>> | undefined
  const minSelfDelegation = () => (limit ??= readMinSelfDelegation(asking))
  /** Nothing unless the governor is active and has enough bonded stake of its own. */
  const findGoverned = async (
    governor: Governor,
    delegations: readonly Delegation[],
    readPools: ReadPools,
  ): Promise<Answer<Delegation[]>> => {
    const active = await readActive(asking, governor)
    if (!isKnown(active)) return active
    if (!active.value) return known([])
    const [minimum, pools] = await Promise.all([minSelfDelegation(), readPools()])
    if (!isKnown(minimum)) return minimum
    if (!isKnown(pools)) return pools
    const isEligible = sumBonded(delegations, pools.value) >= minimum.value
    return isEligible ? await readGoverned(asking, governor) : known([])
  }
  return async (
    voter: string,
    delegations: Delegation[],
    readPools: ReadPools,
  ): Promise<Answer<Delegation[]>> => {
    const governor = await findGovernor(asking, voter)
    if (!isKnown(governor)) return governor
    if (!governor.value) return known(delegations)
    const { account: heir } = governor.value
    const own = delegations.map((delegation) => ({ ...delegation, heir }))
    if (addressKey(heir) !== addressKey(voter)) return known(own)
    const governed = await findGoverned(governor.value, delegations, readPools)
    return isKnown(governed) ? known([...own, ...governed.value]) : governed
  }
}

export const governors: RuleModule = {
  name: 'governors',
  find: async (node, height) => {
    const pagination = PageRequest.fromPartial({ limit: 1n })
    for (const methods of METHODS) {
      const answer = await ask(node, methods.governors, { height, texts: {}, pagination })
      if (isUnknownMethod(answer)) continue
      if (!isKnown(answer)) return withoutFailure(answer)
      return known({ name: 'governors', stakeOf: createStakeReader({ node, height, methods }) })
    }
    return known(undefined)
  },
}

/** The package of x/gov before version 4. */
const paramsMethod = {
  path: '/atomone.gov.v1.Query/Params',
  request: QueryParamsRequest,
  response: { decode: (bytes: Uint8Array) => bytes },
}

export const noInheritance: RuleModule = {
  name: 'no_inheritance',
  find: async (node, height) => {
    const answer = await askModule(node, paramsMethod, { height })
    if (!isKnown(answer) || answer.value === undefined) return answer
    return known({ name: 'no_inheritance' })
  },
}
