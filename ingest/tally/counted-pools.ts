// Finds the pools that a tally counts: the bonded ones with the most power. Pure.
import { decodeAddress } from '../contract/address.ts'
import { isCounted } from '../contract/delegation.ts'
import type { PoolState } from '../contract/facts.ts'

/** Tokens per unit of power: that of x/staking in every chain with a limit of its own. */
const POWER_REDUCTION = 1_000_000n

const compareBytes = (left: PoolState, right: PoolState): number =>
  Buffer.compare(
    decodeAddress(left.operatorAddress)?.bytes ?? Buffer.from(left.operatorAddress),
    decodeAddress(right.operatorAddress)?.bytes ?? Buffer.from(right.operatorAddress),
  )

/** As x/staking orders them: whole units of power, then the lower address. */
const compareByPower = (left: PoolState, right: PoolState): number => {
  const difference = BigInt(right.tokens) / POWER_REDUCTION - BigInt(left.tokens) / POWER_REDUCTION
  return difference === 0n ? compareBytes(left, right) : difference > 0n ? 1 : -1
}

export function isBonded({ status }: Pick<PoolState, 'status'>): boolean {
  return status === 'bonded'
}

/** Bonded and not jailed, at most `limit` of them, by operator address. */
export const findCounted = (pools: readonly PoolState[], limit: number): ReadonlySet<string> => {
  const bonded = pools.filter(({ status, jailed }) => isCounted({ status, jailed }))
  const met = bonded.length > limit ? bonded.sort(compareByPower).slice(0, limit) : bonded
  return new Set(met.map(({ operatorAddress }) => operatorAddress))
}

/** The tokens of the pools that count, in base units. */
export const sumCounted = (pools: readonly PoolState[], counted: ReadonlySet<string>): string =>
  pools
    .filter(({ operatorAddress }) => counted.has(operatorAddress))
    .reduce((sum, { tokens }) => sum + BigInt(tokens), 0n)
    .toString()
