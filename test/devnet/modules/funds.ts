// Proposals about funds, stake and upgrades.

import { MsgMultiSend, MsgSend, MsgSetSendEnabled } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import {
  MsgFundCommunityPool as DistributionFund,
  MsgCommunityPoolSpend as DistributionSpend,
  MsgDepositValidatorRewardsPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { Equivocation } from 'cosmjs-types/cosmos/evidence/v1beta1/evidence'
import { MsgSubmitEvidence } from 'cosmjs-types/cosmos/evidence/v1beta1/tx'
import { MsgSend as NftSend } from 'cosmjs-types/cosmos/nft/v1beta1/tx'
import {
  MsgCancelContinuousFund,
  MsgCreateContinuousFund,
  MsgFundCommunityPool,
  MsgCommunityPoolSpend as PoolSpend,
} from 'cosmjs-types/cosmos/protocolpool/v1/tx'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgCreateValidator,
  MsgDelegate,
  MsgEditValidator,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgCancelUpgrade, MsgSoftwareUpgrade } from 'cosmjs-types/cosmos/upgrade/v1beta1/tx'
import { coin } from '../messages.ts'
import { pack } from './pack.ts'
import { type ModuleProposal, type Stage, scaled, timestamp, YEAR_MS } from './stage.ts'

const one = (name: string, message: ModuleProposal['messages'][number]): ModuleProposal => ({
  name,
  messages: [message],
})

function upgrades({ governance: authority }: Stage): ModuleProposal[] {
  // "No time" is Go's zero time, the first of January of year 1.
  const time = { seconds: -62_135_596_800n, nanos: 0 }
  const info = JSON.stringify({ binaries: { 'linux/amd64': 'https://example.invalid/v2.tar.gz' } })
  const plan = { name: 'v2', height: 9_000_000n, time, info }
  return [
    one('software upgrade', pack(MsgSoftwareUpgrade, { authority, plan })),
    one('cancel upgrade', pack(MsgCancelUpgrade, { authority })),
  ]
}

function transfers({ governance, recipient, other }: Stage): ModuleProposal[] {
  const send = { fromAddress: governance, toAddress: recipient, amount: [coin(5_000_000n)] }
  return [
    one(
      'bank set send enabled',
      pack(MsgSetSendEnabled, {
        authority: governance,
        sendEnabled: [
          { denom: 'uroll', enabled: true },
          { denom: 'ibc/ABC', enabled: false },
        ],
        useDefaultFor: ['ufoo'],
      }),
    ),
    one('bank send', pack(MsgSend, send)),
    one(
      'bank multi send',
      pack(MsgMultiSend, {
        inputs: [{ address: governance, coins: [coin(3n)] }],
        outputs: [
          { address: recipient, coins: [coin(1n)] },
          { address: other, coins: [coin(2n)] },
        ],
      }),
    ),
    one(
      'nft send',
      pack(NftSend, { classId: 'kitties', id: 'k-1', sender: governance, receiver: recipient }),
    ),
  ]
}

function spends({ governance, recipient, pools, nowMs }: Stage): ModuleProposal[] {
  const spend = { authority: governance, recipient, amount: [coin(1_000_000_001n)] }
  const fund = { authority: governance, recipient, percentage: scaled(3) }
  return [
    one('distribution community pool spend', pack(DistributionSpend, spend)),
    one(
      'distribution validator rewards',
      pack(MsgDepositValidatorRewardsPool, {
        depositor: governance,
        validatorAddress: pools[0],
        amount: [coin(7n)],
      }),
    ),
    {
      name: 'distribution fund and withdrawal',
      messages: [
        pack(DistributionFund, { depositor: governance, amount: [coin(4n)] }),
        pack(MsgWithdrawDelegatorReward, {
          delegatorAddress: governance,
          validatorAddress: pools[0],
        }),
      ],
    },
    one(
      'distribution set withdraw address',
      pack(MsgSetWithdrawAddress, { delegatorAddress: governance, withdrawAddress: recipient }),
    ),
    one('protocol pool spend', pack(PoolSpend, spend)),
    {
      name: 'protocol pool continuous funds, with and without an end',
      messages: [
        pack(MsgCreateContinuousFund, { ...fund, expiry: timestamp(nowMs + YEAR_MS) }),
        pack(MsgCreateContinuousFund, fund),
        pack(MsgCancelContinuousFund, { authority: governance, recipient }),
      ],
    },
    one(
      'protocol pool fund',
      pack(MsgFundCommunityPool, { depositor: governance, amount: [coin(9n)] }),
    ),
  ]
}

function stakes({ governance: delegatorAddress, pools, nowMs }: Stage): ModuleProposal[] {
  const [validatorAddress, validatorDstAddress] = pools
  const amount = coin(12_345n)
  return [
    {
      name: 'staking: delegate, redelegate, undelegate, cancel',
      messages: [
        pack(MsgDelegate, { delegatorAddress, validatorAddress, amount }),
        pack(MsgBeginRedelegate, {
          delegatorAddress,
          validatorSrcAddress: validatorAddress,
          validatorDstAddress,
          amount,
        }),
        pack(MsgUndelegate, { delegatorAddress, validatorAddress, amount }),
        pack(MsgCancelUnbondingDelegation, {
          delegatorAddress,
          validatorAddress,
          amount,
          creationHeight: 5n,
        }),
      ],
    },
    one(
      'evidence of an equivocation',
      pack(MsgSubmitEvidence, {
        submitter: delegatorAddress,
        evidence: pack(Equivocation, {
          height: 5n,
          time: { seconds: BigInt(Math.floor(nowMs / 1_000)), nanos: 123_456_789 },
          power: 100n,
          consensusAddress: 'wasmvalcons1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
        }),
      }),
    ),
  ]
}

function validators({ governance, poolOfGovernance }: Stage): ModuleProposal[] {
  const description = { moniker: 'governance', identity: '', website: 'https://example.invalid' }
  const validatorAddress = poolOfGovernance
  return [
    {
      name: 'staking: create and edit a validator, with and without another commission',
      messages: [
        pack(MsgCreateValidator, {
          description,
          commission: { rate: scaled(5), maxRate: scaled(20), maxChangeRate: scaled(1) },
          minSelfDelegation: '1',
          delegatorAddress: governance,
          validatorAddress,
          pubkey: pack(PubKey, { key: Buffer.alloc(32, 7) }),
          value: coin(1_000_000n),
        }),
        pack(MsgEditValidator, {
          description,
          validatorAddress,
          commissionRate: scaled(6),
          minSelfDelegation: '2',
        }),
        pack(MsgEditValidator, { description, validatorAddress }),
      ],
    },
    {
      name: 'slashing unjail and withdrawal of a commission',
      messages: [
        pack(MsgUnjail, { validatorAddr: validatorAddress }),
        pack(MsgWithdrawValidatorCommission, { validatorAddress }),
      ],
    },
  ]
}

export const fundProposals = (stage: Stage): ModuleProposal[] =>
  [upgrades, transfers, spends, stakes, validators].flatMap((make) => make(stage))
