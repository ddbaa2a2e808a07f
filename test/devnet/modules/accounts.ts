// Proposals about who may do what: grants, fee allowances, groups, the circuit breaker, vesting accounts.

import { MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import {
  MsgAuthorizeCircuitBreaker,
  MsgResetCircuitBreaker,
  MsgTripCircuitBreaker,
} from 'cosmjs-types/cosmos/circuit/v1/tx'
import { Permissions_Level } from 'cosmjs-types/cosmos/circuit/v1/types'
import {
  AllowedMsgAllowance,
  BasicAllowance,
  PeriodicAllowance,
} from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance, MsgRevokeAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import {
  MsgCreateGroupWithPolicy,
  MsgUpdateGroupPolicyDecisionPolicy,
} from 'cosmjs-types/cosmos/group/v1/tx'
import {
  PercentageDecisionPolicy,
  ThresholdDecisionPolicy,
} from 'cosmjs-types/cosmos/group/v1/types'
import { AuthorizationType, StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import {
  MsgCreatePeriodicVestingAccount,
  MsgCreatePermanentLockedAccount,
  MsgCreateVestingAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import { moduleAddress } from '../accounts.ts'
import { coin } from '../messages.ts'
import { pack } from './pack.ts'
import { type ModuleProposal, type Stage, seconds, timestamp, YEAR_MS } from './stage.ts'

function grants({ governance: granter, recipient: grantee, other, pools, nowMs }: Stage) {
  const expiration = timestamp(nowMs + YEAR_MS)
  const authorizations = [
    pack(SendAuthorization, { spendLimit: [coin(100n)], allowList: [other] }),
    pack(StakeAuthorization, {
      maxTokens: coin(1_000n),
      allowList: { address: [...pools] },
      authorizationType: AuthorizationType.AUTHORIZATION_TYPE_DELEGATE,
    }),
    pack(StakeAuthorization, {
      denyList: { address: [pools[0]] },
      authorizationType: AuthorizationType.AUTHORIZATION_TYPE_REDELEGATE,
    }),
  ]
  const basic = { spendLimit: [coin(50n)], expiration }
  const periodic = pack(PeriodicAllowance, {
    basic,
    period: { seconds: 3_600n, nanos: 500 },
    periodSpendLimit: [coin(5n)],
    periodCanSpend: [coin(5n)],
    periodReset: expiration,
  })
  const allowances = [
    pack(BasicAllowance, {}),
    periodic,
    pack(AllowedMsgAllowance, {
      allowance: periodic,
      allowedMessages: ['/cosmos.gov.v1.MsgVote'],
    }),
  ]
  return [
    {
      name: 'authz grants of each kind',
      messages: [
        ...authorizations.map((authorization, index) =>
          pack(MsgGrant, {
            granter,
            grantee,
            grant: { authorization, ...(index === 0 ? {} : { expiration }) },
          }),
        ),
        pack(MsgRevoke, { granter, grantee, msgTypeUrl: '/cosmos.bank.v1beta1.MsgSend' }),
      ],
    },
    {
      name: 'fee allowances of each kind',
      messages: [
        ...allowances.map((allowance) => pack(MsgGrantAllowance, { granter, grantee, allowance })),
        pack(MsgRevokeAllowance, { granter, grantee }),
      ],
    },
  ]
}

function groups({ governance: admin, recipient, other }: Stage): ModuleProposal[] {
  const windows = { votingPeriod: seconds(86_400), minExecutionPeriod: seconds(0) }
  const members = [
    { address: recipient, weight: '1', metadata: 'first' },
    { address: other, weight: '2.5', metadata: '' },
  ]
  const groupPolicyAddress = moduleAddress('a group policy')
  return [
    {
      name: 'group with a policy, and another decision policy for a group',
      messages: [
        pack(MsgCreateGroupWithPolicy, {
          admin,
          members,
          groupMetadata: 'ipfs://group',
          groupPolicyAsAdmin: true,
          decisionPolicy: pack(ThresholdDecisionPolicy, { threshold: '2', windows }),
        }),
        pack(MsgUpdateGroupPolicyDecisionPolicy, {
          admin,
          groupPolicyAddress,
          decisionPolicy: pack(PercentageDecisionPolicy, { percentage: '0.5', windows }),
        }),
      ],
    },
  ]
}

function circuit({ governance, recipient }: Stage): ModuleProposal[] {
  const msgTypeUrls = ['/cosmos.bank.v1beta1.MsgMultiSend']
  return [
    {
      name: 'circuit breaker',
      messages: [
        pack(MsgAuthorizeCircuitBreaker, {
          granter: governance,
          grantee: recipient,
          permissions: { level: Permissions_Level.LEVEL_SOME_MSGS, limitTypeUrls: msgTypeUrls },
        }),
        pack(MsgTripCircuitBreaker, { authority: governance, msgTypeUrls }),
        pack(MsgResetCircuitBreaker, { authority: governance, msgTypeUrls }),
      ],
    },
  ]
}

function vesting({ governance: fromAddress, recipient: toAddress, nowMs }: Stage) {
  const amount = [coin(1_000n)]
  const endTime = timestamp(nowMs + YEAR_MS).seconds
  const startTime = timestamp(nowMs).seconds
  return [
    {
      name: 'vesting accounts of each kind',
      messages: [
        pack(MsgCreateVestingAccount, { fromAddress, toAddress, amount, endTime, delayed: true }),
        pack(MsgCreatePermanentLockedAccount, { fromAddress, toAddress, amount }),
        pack(MsgCreatePeriodicVestingAccount, {
          fromAddress,
          toAddress,
          startTime,
          vestingPeriods: [{ length: 60n, amount }],
        }),
      ],
    },
  ]
}

export const accountProposals = (stage: Stage): ModuleProposal[] =>
  [grants, groups, circuit, vesting].flatMap((make) => make(stage))
