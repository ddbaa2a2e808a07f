// Reports a double signature of a pool: creates both votes with its key, and the chain accepts them as evidence.
import { createHash } from 'node:crypto'
import { signedBytes } from '../../../infra/base/proof/commit.ts'
import { readTimestamp } from '../../../infra/base/proof/header.ts'
import { readJson } from '../../../infra/base/proof/json-reader.ts'
import { type ConsensusKey, createConsensusKey } from '../accounts.ts'
import type { RawRpc } from '../rpc.ts'

const PRECOMMIT = 2

type Cast = { chainId: string; height: bigint; time: string; hash: Buffer }

function signedVote(key: ConsensusKey, index: number, { chainId, height, time, hash }: Cast) {
  const signed = { vote: 'commit', time: readTimestamp(readJson(time)) } as const
  const of = { height, round: 0n, blockId: { hash, parts: { total: 1, hash } } }
  const hex = hash.toString('hex').toUpperCase()
  return {
    type: PRECOMMIT,
    height: String(height),
    round: 0,
    block_id: { hash: hex, parts: { total: 1, hash: hex } },
    timestamp: time,
    validator_address: Buffer.from(key.address).toString('hex').toUpperCase(),
    validator_index: index,
    signature: key.sign(signedBytes(of, signed, chainId)).toString('base64'),
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
