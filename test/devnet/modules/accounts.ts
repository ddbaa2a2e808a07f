// Proposals about permissions: grants, fee allowances, the circuit breaker, vesting accounts.

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
import {
  MsgGrantAllowance,
  MsgPruneAllowances,
  MsgRevokeAllowance,
} from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { AuthorizationType, StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import {
  MsgCreatePeriodicVestingAccount,
  MsgCreatePermanentLockedAccount,
  MsgCreateVestingAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import { coin } from '../messages.ts'
import { pack } from './pack.ts'
import { type ModuleProposal, type Stage, timestamp, YEAR_MS } from './stage.ts'

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
        pack(MsgPruneAllowances, { pruner: granter }),
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
  [grants, circuit, vesting].flatMap((make) => make(stage))
