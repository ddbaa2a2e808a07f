// Says which pools governance counts at a height, from the node's own state and the rule of the chain.
// Fields: cosmos/interchain-security v7.0.1, proto/interchain_security/ccv/provider/v1/{provider,query,tx}.proto
import { fromBech32 } from '@cosmjs/encoding'
import type { EncodeObject } from '@cosmjs/proto-signing'
import {
  bytesField,
  concat,
  type Field,
  readBytes,
  readFields,
  stringField,
  uintField,
} from '../../../infra/app/chain/raw-message.ts'
import type { Scene } from '../scene.ts'

const SERVICE = 'interchain_security.ccv.provider.v1'
/** The number of pools that governance counts, among the parameters of the provider. */
const LIMIT_FIELD = 12
const POWER_REDUCTION = 1_000_000n

export type ChainPool = { operator: string; tokens: bigint; power: bigint }

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

async function readParams({ chain }: Scene, height: number): Promise<Field[]> {
  const path = `/${SERVICE}.Query/QueryParams`
  const answer = await chain.rpc.query(path, new Uint8Array(), height)
  return readFields(readBytes(readFields(answer), 1) ?? new Uint8Array())
}

const writeField = (field: Field): Uint8Array =>
  'bytes' in field ? bytesField(field.number, field.bytes) : uintField(field.number, field.varint)

/** The message of a proposal that changes the limit and keeps the other parameters. */
export async function updateLimit(scene: Scene, limit: number): Promise<EncodeObject> {
  const others = (await readParams(scene, 0)).filter(({ number }) => number !== LIMIT_FIELD)
  const params = concat([...others.map(writeField), uintField(LIMIT_FIELD, BigInt(limit))])
  return {
    typeUrl: `/${SERVICE}.MsgUpdateParams`,
    value: concat([stringField(1, scene.governance), bytesField(2, params)]),
  }
}

export async function readCountedPools(scene: Scene, height: number): Promise<CountedPools> {
  const found = (await readParams(scene, height)).find(({ number }) => number === LIMIT_FIELD)
  const limit = found && 'varint' in found ? Number(found.varint) : 0
  const pools = (await scene.state.pools(height)).map((validator) => {
    const tokens = BigInt(validator.tokens)
    const { operatorAddress: operator, status, jailed } = validator
    const isBonded = status === 'bonded' && !jailed
    return { operator, tokens, power: tokens / POWER_REDUCTION, isBonded }
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
