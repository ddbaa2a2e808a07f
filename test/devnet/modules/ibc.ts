// Proposals about IBC: light clients, transfers, interchain accounts; and the light clients they refer to.
import type { EncodeObject } from '@cosmjs/proto-signing'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { HashOp, LengthOp } from 'cosmjs-types/cosmos/ics23/v1/proofs'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import {
  MsgRegisterInterchainAccount,
  MsgSendTx,
} from 'cosmjs-types/ibc/applications/interchain_accounts/controller/v1/tx'
import { MsgModuleQuerySafe } from 'cosmjs-types/ibc/applications/interchain_accounts/host/v1/tx'
import { CosmosTx, Type } from 'cosmjs-types/ibc/applications/interchain_accounts/v1/packet'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import { Order } from 'cosmjs-types/ibc/core/channel/v1/channel'
import { MsgAcknowledgement } from 'cosmjs-types/ibc/core/channel/v1/tx'
import { MsgSendPacket } from 'cosmjs-types/ibc/core/channel/v2/tx'
import {
  MsgCreateClient,
  MsgDeleteClientCreator,
  MsgIBCSoftwareUpgrade,
  MsgRecoverClient,
  MsgUpdateClient,
} from 'cosmjs-types/ibc/core/client/v1/tx'
import { MsgRegisterCounterparty, MsgUpdateClientConfig } from 'cosmjs-types/ibc/core/client/v2/tx'
import {
  ClientState,
  ConsensusState,
  Header,
} from 'cosmjs-types/ibc/lightclients/tendermint/v1/tendermint'
import { coin } from '../messages.ts'
import { pack } from './pack.ts'
import { type ModuleProposal, type Stage, seconds, timestamp } from './stage.ts'

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

const ELSEWHERE: ClientSeed = { chainId: 'elsewhere-1', trustingSeconds: 3_600, height: 100n }

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
export function createClient(signer: string, nowMs: number, seed = ELSEWHERE): EncodeObject {
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

function clients({ governance: signer, clients: [subject, substitute], nowMs }: Stage) {
  const time = { seconds: -62_135_596_800n, nanos: 0 }
  const header = pack(Header, {
    signedHeader: {
      header: { chainId: 'elsewhere-1', height: 101n, time: timestamp(nowMs) },
      commit: { height: 101n, round: 2, signatures: [] },
    },
    validatorSet: {
      validators: [
        {
          address: Buffer.alloc(20, 3),
          pubKey: { ed25519: Buffer.alloc(32, 4) },
          votingPower: 10n,
          proposerPriority: -10n,
        },
      ],
      totalVotingPower: 10n,
    },
    trustedHeight: { revisionNumber: 1n, revisionHeight: 100n },
  })
  return [
    {
      name: 'ibc client recover',
      messages: [
        pack(MsgRecoverClient, {
          subjectClientId: subject,
          substituteClientId: substitute,
          signer,
        }),
      ],
    },
    {
      name: 'ibc software upgrade',
      messages: [
        pack(MsgIBCSoftwareUpgrade, {
          plan: { name: 'v3', height: 9_500_000n, time, info: '' },
          upgradedClientState: clientState({ ...ELSEWHERE, height: 0n }),
          signer,
        }),
      ],
    },
    {
      name: 'ibc client update with a header, creator, config and counterparty',
      messages: [
        // The chain checks a header at the submission, but not inside authz.
        pack(MsgExec, {
          grantee: signer,
          msgs: [pack(MsgUpdateClient, { clientId: subject, clientMessage: header, signer })],
        }),
        pack(MsgDeleteClientCreator, { clientId: subject, signer }),
        pack(MsgUpdateClientConfig, {
          clientId: subject,
          config: { allowedRelayers: [signer] },
          signer,
        }),
        pack(MsgRegisterCounterparty, {
          clientId: subject,
          counterpartyMerklePrefix: [Buffer.from('ibc'), new Uint8Array()],
          counterpartyClientId: '07-tendermint-9',
          signer,
        }),
      ],
    },
  ]
}

function packets({ governance, recipient, nowMs }: Stage): ModuleProposal[] {
  const timeoutTimestamp = BigInt(nowMs) * 1_000_000n
  const timeoutHeight = { revisionNumber: 1n, revisionHeight: 500n }
  return [
    {
      name: 'ibc transfer and acknowledgement',
      messages: [
        pack(MsgTransfer, {
          sourcePort: 'transfer',
          sourceChannel: 'channel-0',
          token: coin(77n),
          sender: governance,
          receiver: 'elsewhere1qqqq',
          timeoutHeight,
          timeoutTimestamp,
          memo: '{"forward":{}}',
        }),
        pack(MsgAcknowledgement, {
          packet: {
            sequence: 1n,
            sourcePort: 'transfer',
            sourceChannel: 'channel-0',
            destinationPort: 'transfer',
            destinationChannel: 'channel-1',
            data: Buffer.from('{"amount":"1"}'),
            timeoutTimestamp,
          },
          acknowledgement: Buffer.from('{"result":"AQ=="}'),
          proofAcked: Buffer.alloc(16, 5),
          proofHeight: timeoutHeight,
          signer: governance,
        }),
      ],
    },
    {
      name: 'ibc packet of the second version',
      messages: [
        pack(MsgSendPacket, {
          sourceClient: '07-tendermint-0',
          timeoutTimestamp: BigInt(Math.floor(nowMs / 1_000)) + 3_600n,
          payloads: [
            {
              sourcePort: 'transfer',
              destinationPort: 'transfer',
              version: 'ics20-1',
              encoding: 'application/json',
              value: Buffer.from('{}'),
            },
          ],
          signer: governance,
        }),
      ],
    },
    {
      name: 'interchain accounts: register, send and query',
      messages: [
        pack(MsgRegisterInterchainAccount, {
          owner: governance,
          connectionId: 'connection-0',
          version: '',
          ordering: Order.ORDER_UNORDERED,
        }),
        pack(MsgSendTx, {
          owner: governance,
          connectionId: 'connection-0',
          packetData: {
            type: Type.TYPE_EXECUTE_TX,
            data: CosmosTx.encode({
              messages: [
                pack(MsgSend, {
                  fromAddress: governance,
                  toAddress: recipient,
                  amount: [coin(1n)],
                }),
              ],
            }).finish(),
            memo: 'memo',
          },
          relativeTimeout: 600_000_000_000n,
        }),
        pack(MsgModuleQuerySafe, {
          signer: governance,
          requests: [{ path: '/cosmos.bank.v1beta1.Query/Balance', data: Buffer.alloc(4, 6) }],
        }),
      ],
    },
  ]
}

export const ibcProposals = (stage: Stage): ModuleProposal[] =>
  [clients, packets].flatMap((make) => make(stage))
