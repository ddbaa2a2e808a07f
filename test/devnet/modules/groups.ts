// Proposals about groups: their members, their policies, and what they vote on.

import {
  Exec,
  MsgCreateGroup,
  MsgCreateGroupPolicy,
  MsgCreateGroupWithPolicy,
  MsgExec,
  MsgLeaveGroup,
  MsgUpdateGroupAdmin,
  MsgUpdateGroupMembers,
  MsgUpdateGroupMetadata,
  MsgUpdateGroupPolicyAdmin,
  MsgUpdateGroupPolicyDecisionPolicy,
  MsgUpdateGroupPolicyMetadata,
  MsgVote,
  MsgWithdrawProposal,
} from 'cosmjs-types/cosmos/group/v1/tx'
import {
  PercentageDecisionPolicy,
  ThresholdDecisionPolicy,
  VoteOption,
} from 'cosmjs-types/cosmos/group/v1/types'
import { moduleAddress } from '../accounts.ts'
import { pack } from './pack.ts'
import { type ModuleProposal, type Stage, seconds } from './stage.ts'

const groupId = 1n
const proposalId = 1n

function policies({ governance: admin, recipient, other }: Stage): ModuleProposal[] {
  const windows = { votingPeriod: seconds(86_400), minExecutionPeriod: seconds(0) }
  const threshold = pack(ThresholdDecisionPolicy, { threshold: '2', windows })
  const percentage = pack(PercentageDecisionPolicy, { percentage: '0.5', windows })
  const members = [
    { address: recipient, weight: '1', metadata: 'first' },
    { address: other, weight: '2.5', metadata: '' },
  ]
  const groupPolicyAddress = moduleAddress('a group policy')
  return [
    {
      name: 'group creation, with and without a policy',
      messages: [
        pack(MsgCreateGroupWithPolicy, {
          admin,
          members,
          groupMetadata: 'ipfs://group',
          groupPolicyAsAdmin: true,
          decisionPolicy: threshold,
        }),
        pack(MsgCreateGroup, { admin, members, metadata: 'ipfs://group' }),
        pack(MsgCreateGroupPolicy, { admin, groupId, decisionPolicy: percentage }),
      ],
    },
    {
      name: 'group policy changes',
      messages: [
        pack(MsgUpdateGroupPolicyDecisionPolicy, {
          admin,
          groupPolicyAddress,
          decisionPolicy: percentage,
        }),
        pack(MsgUpdateGroupPolicyAdmin, { admin, groupPolicyAddress, newAdmin: other }),
        pack(MsgUpdateGroupPolicyMetadata, { admin, groupPolicyAddress, metadata: 'new' }),
      ],
    },
    {
      name: 'group changes',
      messages: [
        pack(MsgUpdateGroupMembers, {
          admin,
          groupId,
          memberUpdates: [{ address: other, weight: '0' }],
        }),
        pack(MsgUpdateGroupAdmin, { admin, groupId, newAdmin: other }),
        pack(MsgUpdateGroupMetadata, { admin, groupId, metadata: 'new' }),
      ],
    },
  ]
}

function membership({ governance }: Stage): ModuleProposal[] {
  return [
    {
      name: 'group votes',
      messages: [
        pack(MsgVote, {
          proposalId,
          voter: governance,
          option: VoteOption.VOTE_OPTION_ABSTAIN,
          exec: Exec.EXEC_UNSPECIFIED,
        }),
        pack(MsgExec, { proposalId, executor: governance }),
        pack(MsgWithdrawProposal, { proposalId, address: governance }),
        pack(MsgLeaveGroup, { address: governance, groupId }),
      ],
    },
  ]
}

export const groupProposals = (stage: Stage): ModuleProposal[] =>
  [policies, membership].flatMap((make) => make(stage))
