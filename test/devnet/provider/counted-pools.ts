// Says which pools governance counts at a height, from the node's own state and the rule of the chain.
import { fromBech32 } from '@cosmjs/encoding'
import {
  QueryValidatorsRequest,
  QueryValidatorsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { BondStatus } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { RawRpc } from '../rpc.ts'
import { readLimit } from './limit.ts'

const POWER_REDUCTION = 1_000_000n

export type ChainPool = { operator: string; tokens: bigint; power: bigint; jailed: boolean }

export type CountedPools = {
  limit: number
  /** The first pools in the order of the chain, at most `limit`. */
  counted: ChainPool[]
  /** The other bonded pools in the same order. */
  others: ChainPool[]
  /** Pools that are jailed or not bonded. */
  outside: ChainPool[]
  /** The tokens of the counted pools: the base of the quorum. */
  tokens: bigint
}

/** Whole units of power first, then the lower operator address. */
function compareOrder(a: ChainPool, b: ChainPool): number {
  if (a.power !== b.power) return a.power > b.power ? -1 : 1
  return Buffer.compare(fromBech32(a.operator).data, fromBech32(b.operator).data)
}

export async function readCountedPools(rpc: RawRpc, height: number): Promise<CountedPools> {
  const request = QueryValidatorsRequest.fromPartial({ pagination: { limit: 1_000n } })
  const [limit, bytes] = await Promise.all([
    readLimit(rpc, height),
    rpc.query(
      '/cosmos.staking.v1beta1.Query/Validators',
      QueryValidatorsRequest.encode(request).finish(),
      height,
    ),
  ])
  const pools = QueryValidatorsResponse.decode(bytes).validators.map((validator) => {
    const tokens = BigInt(validator.tokens)
    const { operatorAddress: operator, jailed } = validator
    const isBonded = validator.status === BondStatus.BOND_STATUS_BONDED && !jailed
    return { operator, tokens, power: tokens / POWER_REDUCTION, jailed, isBonded }
  })
  const bonded = pools.filter(({ isBonded }) => isBonded).sort(compareOrder)
  const counted = bonded.slice(0, limit)
  return {
    limit,
    counted,
    others: bonded.slice(limit),
    outside: pools.filter(({ isBonded }) => !isBonded),
    tokens: counted.reduce((sum, pool) => sum + pool.tokens, 0n),
  }
}

/**
 * The counted tokens in the tally of an end block. x/gov runs before the pools that returned in that block are bonded again.
 * A later proposal of the block may change the limit.
 */
export function sumAtTally(is: {
  before: CountedPools
  after: CountedPools
  limit: number
}): bigint {
  const wasOutside = new Set(is.before.outside.map(({ operator }) => operator))
  return [...is.after.counted, ...is.after.others]
    .filter(({ operator }) => !wasOutside.has(operator))
    .slice(0, is.limit)
    .reduce((sum, { tokens }) => sum + tokens, 0n)
}
