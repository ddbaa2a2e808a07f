// Special cases besides the campaigns: unusual ways to vote, and stake that moves during a vote.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import {
  MsgBeginRedelegate,
  MsgCreateValidator,
  MsgEditValidator,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { type Account, createConsensusKey } from '../accounts.ts'
import {
  ABSTAIN,
  cancel,
  coin,
  contractVote,
  execute,
  NO,
  submit,
  VETO,
  vote,
  weightedVote,
  YES,
} from '../messages.ts'
import { TEXTS } from '../proposal-texts.ts'
import { eventValue } from '../transactions.ts'
import { votingEndMs } from './chain-reads.ts'
import { delegate } from './prepare.ts'
import { ROLL, type Scene, toPoolAddress } from './scene.ts'

const BELL_PAUSE_MS = 60

export function nth<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`nothing at ${index}`)
  return item
}

/** Two messages in one MsgExec, then an exec within an exec. */
export async function voteThroughAuthz(scene: Scene, proposalId: bigint): Promise<void> {
  const grantee = scene.person('delegate')
  const sub = scene.person('sub-delegate')
  const voter = (index: number) => nth(scene.voters, index).address
  await scene.chain.send(grantee, [
    execute(grantee.address, [
      vote(proposalId, voter(0), YES),
      weightedVote(proposalId, voter(1), [
        [YES, '0.5'],
        [NO, '0.5'],
      ]),
    ]),
    execute(grantee.address, [vote(proposalId, voter(2), NO)]),
  ])
  const inner = execute(grantee.address, [
    vote(proposalId, voter(3), ABSTAIN),
    vote(proposalId, voter(4), YES, 'by a delegate of a delegate'),
  ])
  await scene.chain.send(sub, [execute(sub.address, [inner])])
}

/** Two votes by the contract in one tx: the later one counts. */
export async function voteThroughContract(scene: Scene, proposalId: bigint): Promise<void> {
  const owner = scene.person('core-team')
  const id = Number(proposalId)
  const messages = [
    { gov: { vote: { proposal_id: id, option: 'no' } } },
    {
      gov: {
        vote_weighted: {
          proposal_id: id,
          options: [
            { option: 'yes', weight: '0.75' },
            { option: 'abstain', weight: '0.25' },
          ],
        },
      },
    },
  ]
  await scene.chain.send(owner, [contractVote(owner.address, scene.contract, messages)], {
    gas: 5_000_000,
  })
}

/** First one option, then another, in one tx, and again in a later one. */
export async function changeMind(scene: Scene, proposalId: bigint, from: number): Promise<void> {
  for (let index = from; index < from + 6; index++) {
    const voter = nth(scene.voters, index)
    await scene.chain.send(voter, [
      vote(proposalId, voter.address, NO),
      vote(proposalId, voter.address, index % 2 === 0 ? YES : ABSTAIN),
    ])
    if (index % 3 === 0) await scene.chain.send(voter, [vote(proposalId, voter.address, VETO)])
  }
}

/** Votes without a pause while the vote closes: some stand in the closing block, the rest are refused. */
export async function voteAtTheBell(
  scene: Scene,
  proposalId: bigint,
  firstVoter: number,
): Promise<void> {
  const pending: Promise<{ code: number }>[] = []
  const closesAt = await votingEndMs(scene, proposalId)
  await scene.untilTime(closesAt - 2_500)
  for (let index = firstVoter; index < scene.voters.length; index++) {
    const voter = nth(scene.voters, index)
    const option = index % 3 === 0 ? NO : YES
    pending.push(
      scene.chain.send(voter, [vote(proposalId, voter.address, option)], { mayFail: true }),
    )
    // Once a block is past the end the vote is closed: the one just sent comes too late.
    if (scene.chain.tip().timeMs >= closesAt) break
    await sleep(BELL_PAUSE_MS)
  }
  const outcomes = await Promise.all(pending)
  const taken = outcomes.filter(({ code }) => code === 0).length
  if (taken === 0 || taken === outcomes.length) {
    throw new Error(`${taken} of ${outcomes.length} votes at the bell were taken`)
  }
}

/** Submitted, voted on and canceled in one tx: no committed state ever has it. */
export async function vanish(scene: Scene): Promise<void> {
  const author = scene.person('stranger')
  const id = BigInt(scene.proposals.size + 1)
  const outcome = await scene.chain.send(
    author,
    [
      submit(author.address, { ...TEXTS.vanished, messages: [] }, 100n * ROLL),
      vote(id, author.address, YES),
      cancel(id, author.address),
    ],
    { gas: 3_000_000 },
  )
  if (BigInt(eventValue(outcome, 'submit_proposal', 'proposal_id')) !== id) {
    throw new Error(`expected proposal ${id}`)
  }
  scene.proposals.set('vanished', id)
}

/** The chain refuses these; none may be counted. */
export async function voteInVain(scene: Scene, closed: bigint): Promise<void> {
  const voter = nth(scene.voters, 30)
  const refused: EncodeObject[][] = [
    [vote(closed, voter.address, YES)],
    [vote(999_999n, voter.address, YES)],
    [
      weightedVote(closed, voter.address, [
        [YES, '0.9'],
        [NO, '0.2'],
      ]),
    ],
  ]
  for (const messages of refused) {
    const outcome = await scene.chain.send(voter, messages, { mayFail: true })
    if (outcome.code === 0) throw new Error('the chain took a vote that it should refuse')
  }
}

export function undelegate(delegator: Account, pool: Account, amount: bigint): EncodeObject {
  return {
    typeUrl: '/cosmos.staking.v1beta1.MsgUndelegate',
    value: MsgUndelegate.fromPartial({
      delegatorAddress: delegator.address,
      validatorAddress: toPoolAddress(pool),
      amount: coin(amount),
    }),
  }
}

export function redelegate(
  delegator: Account,
  pools: [Account, Account],
  amount: bigint,
): EncodeObject {
  return {
    typeUrl: '/cosmos.staking.v1beta1.MsgBeginRedelegate',
    value: MsgBeginRedelegate.fromPartial({
      delegatorAddress: delegator.address,
      validatorSrcAddress: toPoolAddress(pools[0]),
      validatorDstAddress: toPoolAddress(pools[1]),
      amount: coin(amount),
    }),
  }
}

/** Large holders and voters move stake between pools after their votes. */
export async function moveStake(scene: Scene, salt: number): Promise<void> {
  const pool = (index: number) => nth(scene.operators, index)
  const whale = (index: number) => nth(scene.whales, (index + salt) % scene.whales.length)
  const voter = (index: number) => nth(scene.voters, index + salt * 17)
  await Promise.all([
    scene.chain.send(whale(0), [
      redelegate(whale(0), [pool(0), pool(3 + salt)], 123_456_789_012n + BigInt(salt)),
    ]),
    scene.chain.send(whale(1), [undelegate(whale(1), pool(0), 77_777_777_777n)]),
    scene.chain.send(whale(2), [delegate(whale(2), pool(5 + salt), 55_555_555_555n)]),
    scene.chain.send(voter(40), [
      delegate(voter(40), pool(2), 1_234_567_891n),
      delegate(voter(40), pool(8), 1_000_000_007n),
    ]),
    scene.chain.send(voter(41), [delegate(voter(41), pool(11), 3_333_333_333n)]),
  ])
}

/** An operator takes out its own stake, is jailed for it, comes back and is unjailed. */
export async function jailAndReturn(scene: Scene, leaveAt: number, returnAt: number) {
  const index = 30
  const operator = nth(scene.operators, index)
  const seed = nth(scene.pools, index)
  await scene.at(leaveAt)
  await scene.chain.send(operator, [undelegate(operator, operator, seed.selfTokens)])
  await scene.at(returnAt)
  const unjail = {
    typeUrl: '/cosmos.slashing.v1beta1.MsgUnjail',
    value: MsgUnjail.fromPartial({ validatorAddr: toPoolAddress(operator) }),
  }
  await scene.chain.send(operator, [delegate(operator, operator, 40_000n * ROLL), unjail])
}

/** A pool that did not exist when the vote began, and one that takes another name. */
export async function changePools(scene: Scene): Promise<void> {
  const founder = scene.person('stranger')
  const create = {
    typeUrl: '/cosmos.staking.v1beta1.MsgCreateValidator',
    value: MsgCreateValidator.fromPartial({
      description: { moniker: 'Newcomer 🌱', details: 'Bonded while votes are on.' },
      commission: {
        rate: '80000000000000000',
        maxRate: '200000000000000000',
        maxChangeRate: '10000000000000000',
      },
      minSelfDelegation: '1',
      validatorAddress: toPoolAddress(founder),
      pubkey: {
        typeUrl: '/cosmos.crypto.ed25519.PubKey',
        value: PubKey.encode({ key: createConsensusKey('newcomer').publicKey }).finish(),
      },
      value: coin(333_333n * ROLL + 1n),
    }),
  }
  await scene.chain.send(founder, [create])
  const renamed = nth(scene.operators, 9)
  const edit = {
    typeUrl: '/cosmos.staking.v1beta1.MsgEditValidator',
    value: MsgEditValidator.fromPartial({
      validatorAddress: toPoolAddress(renamed),
      description: {
        moniker: 'Formerly 量子 <img src=x onerror=alert(1)>',
        identity: '[do-not-modify]',
        website: 'javascript:alert(1)',
        securityContact: '[do-not-modify]',
        details: '[do-not-modify]',
      },
    }),
  }
  await scene.chain.send(renamed, [edit])
}
