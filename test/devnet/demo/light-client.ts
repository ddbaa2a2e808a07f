// The light clients that the demo recovers: of chains that do not exist.
import type { EncodeObject } from '@cosmjs/proto-signing'
import { HashOp, LengthOp } from 'cosmjs-types/cosmos/ics23/v1/proofs'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { MsgCreateClient } from 'cosmjs-types/ibc/core/client/v1/tx'
import { ClientState, ConsensusState } from 'cosmjs-types/ibc/lightclients/tendermint/v1/tendermint'
import { pack } from './pack.ts'

const seconds = (count: number) => ({ seconds: BigInt(count), nanos: 0 })
const timestamp = (ms: number) => seconds(Math.floor(ms / 1_000))

const PROOF_SPEC = {
  leafSpec: {
    hash: HashOp.SHA256,
    prehashValue: HashOp.SHA256,
    length: LengthOp.VAR_PROTO,
    prefix: Uint8Array.of(0),
  },
  innerSpec: { childOrder: [0, 1], childSize: 33, minPrefixLength: 4, maxPrefixLength: 12 },
}

type ClientSeed = { chainId: string; trustingSeconds: number; height: bigint }

function clientState({ chainId, trustingSeconds, height }: ClientSeed): Any {
  return pack(ClientState, {
    chainId,
    trustLevel: { numerator: 1n, denominator: 3n },
    trustingPeriod: seconds(trustingSeconds),
    unbondingPeriod: seconds(2 * trustingSeconds),
    maxClockDrift: seconds(10),
    latestHeight: { revisionNumber: 1n, revisionHeight: height },
    proofSpecs: [PROOF_SPEC],
    upgradePath: ['upgrade', 'upgradedIBCState'],
  })
}

/** A light client of a chain that does not exist; it is active until its trusting period ends. */
export function createClient(signer: string, nowMs: number, seed: ClientSeed): EncodeObject {
  const value = MsgCreateClient.fromPartial({
    signer,
    clientState: clientState(seed),
    consensusState: pack(ConsensusState, {
      timestamp: timestamp(nowMs - 60_000),
      root: { hash: Buffer.alloc(32, 1) },
      nextValidatorsHash: Buffer.alloc(32, 2),
    }),
  })
  return { typeUrl: '/ibc.core.client.v1.MsgCreateClient', value }
}
