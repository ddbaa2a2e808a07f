// Reports a double signature of a pool: creates both votes with its key, and the chain accepts them as evidence.
import { createHash } from 'node:crypto'
import { bytesField, concat, uintField } from '../../../infra/app/chain/raw-message.ts'
import { type ConsensusKey, createConsensusKey } from '../accounts.ts'
import type { RawRpc } from '../rpc.ts'

const PREVOTE = 1

/** Protobuf's `sfixed64`: the sign bytes of a vote have a fixed length. */
function fixed64Field(field: number, value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return concat([Uint8Array.of((field << 3) | 1), bytes])
}

/** The node's times have nine digits of a second. */
function timeField(field: number, text: string): Uint8Array {
  const fraction = /\.(\d+)Z$/.exec(text)?.[1] ?? ''
  const seconds = BigInt(Math.floor(Date.parse(text) / 1_000))
  const nanos = BigInt(fraction.padEnd(9, '0'))
  return bytesField(field, concat([uintField(1, seconds), uintField(2, nanos)]))
}

type Cast = { chainId: string; height: bigint; time: string; hash: Buffer }

/** The bytes that a validator signs; the round is 0 and therefore omitted. */
function signBytes({ chainId, height, time, hash }: Cast): Uint8Array {
  const parts = concat([uintField(1, 1n), bytesField(2, hash)])
  const body = concat([
    uintField(1, BigInt(PREVOTE)),
    fixed64Field(2, height),
    bytesField(4, concat([bytesField(1, hash), bytesField(2, parts)])),
    timeField(5, time),
    bytesField(6, Buffer.from(chainId)),
  ])
  // With its length, without the tag of a field.
  return bytesField(1, body).subarray(1)
}

function signedVote(key: ConsensusKey, index: number, cast: Cast) {
  const hash = cast.hash.toString('hex').toUpperCase()
  return {
    type: PREVOTE,
    height: String(cast.height),
    round: 0,
    block_id: { hash, parts: { total: 1, hash } },
    timestamp: cast.time,
    validator_address: Buffer.from(key.address).toString('hex').toUpperCase(),
    validator_index: index,
    signature: key.sign(signBytes(cast)).toString('base64'),
    extension: null,
    extension_signature: null,
  }
}

type Validator = { address: string; voting_power: string }

/** `keyName` is that of the pool's consensus key. */
export async function reportDoubleSign(rpc: RawRpc, keyName: string, at: number): Promise<void> {
  const key = createConsensusKey(keyName)
  const height = String(at)
  const { block } = await rpc.call('block', { height })
  const found = await rpc.call('validators', { height, per_page: '100' })
  const validators: Validator[] = found.validators
  const address = Buffer.from(key.address).toString('hex').toUpperCase()
  const index = validators.findIndex((each) => each.address === address)
  const power = validators[index]?.voting_power
  if (power === undefined) throw new Error(`no validator with the key ${keyName} at ${height}`)
  const { time, chain_id: chainId } = block.header
  // The chain requires them in the order of their block ids.
  const hashes = ['one block', 'another block']
    .map((text) => createHash('sha256').update(text).digest())
    .sort(Buffer.compare)
  const votes = hashes.map((hash) =>
    signedVote(key, index, { chainId, height: BigInt(at), time, hash }),
  )
  await rpc.call('broadcast_evidence', {
    evidence: {
      type: 'tendermint/DuplicateVoteEvidence',
      value: {
        vote_a: votes[0],
        vote_b: votes[1],
        TotalVotingPower: String(
          validators.reduce((sum, each) => sum + BigInt(each.voting_power), 0n),
        ),
        ValidatorPower: power,
        Timestamp: time,
      },
    },
  })
}
