// Proposals whose messages contain others: authz, legacy contents, governance, groups, and many at once.
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { CommunityPoolSpendProposal } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import { VoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  MsgCancelProposal,
  MsgDeposit,
  MsgExecLegacyContent,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import {
  MsgDeposit as LegacyDeposit,
  MsgSubmitProposal as LegacySubmit,
  MsgVote as LegacyVote,
  MsgVoteWeighted as LegacyVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { Exec, MsgSubmitProposal as GroupSubmit } from 'cosmjs-types/cosmos/group/v1/tx'
import { MsgUpdateParams as MintUpdate } from 'cosmjs-types/cosmos/mint/v1beta1/tx'
import { SoftwareUpgradeProposal } from 'cosmjs-types/cosmos/upgrade/v1beta1/upgrade'
import {
  AcceptedMessageKeysFilter,
  AcceptedMessagesFilter,
  CombinedLimit,
  ContractExecutionAuthorization,
  MaxCallsLimit,
  StoreCodeAuthorization,
} from 'cosmjs-types/cosmwasm/wasm/v1/authz'
import { MigrateContractProposal } from 'cosmjs-types/cosmwasm/wasm/v1/proposal_legacy'
import { MsgUnpinCodes } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { AccessType } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { TransferAuthorization } from 'cosmjs-types/ibc/applications/transfer/v1/authz'
import { moduleAddress } from '../accounts.ts'
import { coin } from '../messages.ts'
import { pack } from './pack.ts'
import { jsonBytes, type ModuleProposal, type Stage, scaled } from './stage.ts'

const LEVELS = 4
const texts = { title: 'Inner title', description: 'Inner text with <b>tags</b> & "quotes"' }
const legacy = (authority: string, content: Any) =>
  pack(MsgExecLegacyContent, { authority, content })

function legacyContents({ governance, recipient, contract, codeId }: Stage): ModuleProposal[] {
  const spend = pack(CommunityPoolSpendProposal, { ...texts, recipient, amount: [coin(42n)] })
  const upgrade = pack(SoftwareUpgradeProposal, {
    ...texts,
    plan: {
      name: 'v4',
      height: 8_000_000n,
      time: { seconds: -62_135_596_800n, nanos: 0 },
      info: '',
    },
  })
  const migrate = pack(MigrateContractProposal, {
    ...texts,
    contract,
    codeId,
    msg: jsonBytes({ migrate: {} }),
  })
  // The chain runs a legacy content when it is submitted, and has a handler for text only. It does not look into authz.
  const nested = (content: Any) =>
    pack(MsgExec, { grantee: governance, msgs: [legacy(governance, content)] })
  return [
    { name: 'legacy text', messages: [legacy(governance, pack(TextProposal, texts))] },
    { name: 'legacy community pool spend', messages: [nested(spend)] },
    { name: 'legacy software upgrade', messages: [nested(upgrade)] },
    { name: 'legacy contract migration', messages: [nested(migrate)] },
    {
      name: 'legacy submission',
      messages: [
        pack(LegacySubmit, { content: spend, initialDeposit: [coin(5n)], proposer: governance }),
      ],
    },
  ]
}

function authz({ governance, recipient, other, contract, codeId }: Stage): ModuleProposal[] {
  const grantee = governance
  const send = pack(MsgSend, {
    fromAddress: other,
    toAddress: recipient,
    amount: [coin(1n), { denom: 'zed', amount: '2' }],
  })
  const unpin = pack(MsgUnpinCodes, { authority: governance, codeIds: [codeId] })
  const deep = Array.from({ length: LEVELS }).reduce<Any>(
    (inner) => pack(MsgExec, { grantee, msgs: [inner] }),
    send,
  )
  const limits = [
    pack(MaxCallsLimit, { remaining: 5n }),
    pack(CombinedLimit, { callsRemaining: 2n, amounts: [coin(3n)] }),
  ]
  const filters = [
    pack(AcceptedMessageKeysFilter, { keys: ['vote', 'claim'] }),
    pack(AcceptedMessagesFilter, { messages: [jsonBytes({ claim: {} })] }),
  ]
  const grantsOf = limits.map((limit, index) => ({
    contract,
    limit,
    ...(filters[index] ? { filter: filters[index] } : {}),
  }))
  const authorizations = [
    pack(GenericAuthorization, { msg: '/cosmos.gov.v1.MsgVote' }),
    pack(ContractExecutionAuthorization, { grants: grantsOf }),
    pack(StoreCodeAuthorization, {
      grants: [
        {
          codeHash: Buffer.alloc(32, 8),
          instantiatePermission: {
            permission: AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES,
            addresses: [other],
          },
        },
      ],
    }),
    pack(TransferAuthorization, {
      allocations: [{ sourcePort: 'transfer', sourceChannel: 'channel-0', spendLimit: [coin(4n)] }],
    }),
  ]
  return [
    { name: 'authz exec', messages: [pack(MsgExec, { grantee, msgs: [send, unpin] })] },
    { name: 'authz exec, nested', messages: [deep] },
    {
      name: 'authz grants of contracts and transfers',
      messages: authorizations.map((authorization) =>
        pack(MsgGrant, { granter: governance, grantee: other, grant: { authorization } }),
      ),
    },
  ]
}

function governance({ governance: gov, recipient }: Stage): ModuleProposal[] {
  const send = pack(MsgSend, { fromAddress: gov, toAddress: recipient, amount: [coin(8n)] })
  const submission = pack(MsgSubmitProposal, {
    messages: [send, legacy(gov, pack(TextProposal, texts))],
    initialDeposit: [coin(1n)],
    proposer: gov,
    metadata: '',
    title: 'A proposal of governance itself',
    summary: 'Nested.',
  })
  const groupSubmission = pack(GroupSubmit, {
    groupPolicyAddress: moduleAddress('a group policy'),
    proposers: [gov],
    messages: [send],
    exec: Exec.EXEC_TRY,
    title: 'Of a group',
    summary: 'Nested.',
  })
  return [
    {
      name: 'proposals nested in authz',
      messages: [pack(MsgExec, { grantee: gov, msgs: [submission] }), submission],
    },
    {
      name: 'legacy votes and deposits of governance',
      messages: [
        pack(LegacyVote, {
          proposalId: 1n,
          voter: gov,
          option: VoteOption.VOTE_OPTION_YES,
        }),
        // The wire form of a legacy weight is an integer of 1e-18.
        pack(LegacyVoteWeighted, {
          proposalId: 1n,
          voter: gov,
          options: [{ option: VoteOption.VOTE_OPTION_NO, weight: scaled(100) }],
        }),
        pack(LegacyDeposit, { proposalId: 1n, depositor: gov, amount: [coin(6n)] }),
      ],
    },
    { name: 'group proposal', messages: [groupSubmission] },
    {
      name: 'votes and deposits of governance',
      messages: [
        pack(MsgVote, {
          proposalId: 1n,
          voter: gov,
          option: VoteOption.VOTE_OPTION_NO_WITH_VETO,
          metadata: '',
        }),
        pack(MsgVoteWeighted, {
          proposalId: 1n,
          voter: gov,
          options: [
            { option: VoteOption.VOTE_OPTION_YES, weight: '0.700000000000000000' },
            { option: VoteOption.VOTE_OPTION_ABSTAIN, weight: '0.3' },
          ],
        }),
        pack(MsgDeposit, { proposalId: 1n, depositor: gov, amount: [coin(6n)] }),
        pack(MsgCancelProposal, { proposalId: 1n, proposer: gov }),
      ],
    },
  ]
}

function many({ governance: gov, recipient }: Stage): ModuleProposal[] {
  const sends = Array.from({ length: 20 }, (_, index) =>
    pack(MsgSend, {
      fromAddress: gov,
      toAddress: recipient,
      amount: [coin(BigInt(index) + 1n)],
    }),
  )
  // Every member at its default: an empty message is one, too.
  const empty = pack(MintUpdate, { authority: gov })
  return [
    { name: 'many messages', messages: sends },
    { name: 'a message with defaults only', messages: [empty] },
  ]
}

export const nestedProposals = (stage: Stage): ModuleProposal[] =>
  [legacyContents, authz, governance, many].flatMap((make) => make(stage))
