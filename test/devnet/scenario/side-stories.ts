// Special cases besides the crowds: unusual ways to vote, and stake that moves during a vote.
import type { EncodeObject } from '@cosmjs/proto-signing'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { MsgCreateValidator, MsgEditValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { createConsensusKey, toPoolAddress } from '../accounts.ts'
import { ROLL } from '../genesis.ts'
import {
  ABSTAIN,
  cancel,
  coin,
  createMessage,
  delegate,
  execute,
  executeContract,
  NO,
  redelegate,
  submit,
  undelegate,
  VETO,
  vote,
  weightedVote,
  YES,
} from '../messages.ts'
import { keepSending, nth, type Scene } from '../scene.ts'
import { textOf } from './proposal-texts.ts'

/** Two messages in one MsgExec, then an exec within an exec. */
export async function voteThroughAuthz(scene: Scene, name: string): Promise<void> {
  const id = scene.id(name)
  const [grantee, sub] = [scene.person('delegate'), scene.person('sub-delegate')]
  const voter = (index: number) => nth(scene.voters, index).address
  const half = [
    [YES, '0.5'],
    [NO, '0.5'],
  ] as const
  await scene.send(grantee, [
    execute(grantee.address, [vote(id, voter(0), YES), weightedVote(id, voter(1), half)]),
    execute(grantee.address, [vote(id, voter(2), NO)]),
  ])
  const inner = execute(grantee.address, [
    vote(id, voter(3), ABSTAIN),
    vote(id, voter(4), YES, 'by a delegate of a delegate'),
  ])
  await scene.send(sub, [execute(sub.address, [inner])])
}

/** Two votes by the contract in one tx: the later one counts. */
export async function voteThroughContract(
  scene: Scene,
  contract: string,
  name: string,
): Promise<void> {
  const owner = scene.person('core-team')
  const proposal_id = Number(scene.id(name))
  const options = [
    { option: 'yes', weight: '0.75' },
    { option: 'abstain', weight: '0.25' },
  ]
  const messages = [
    { gov: { vote: { proposal_id, option: 'no' } } },
    { gov: { vote_weighted: { proposal_id, options } } },
  ]
  await scene.send(owner, [executeContract(owner.address, contract, messages)])
}

/** Six voters: first one option, then another, in one tx, and some again in a later one. */
export async function changeMind(scene: Scene, name: string, from: number): Promise<void> {
  const id = scene.id(name)
  const change = async (index: number) => {
    const voter = nth(scene.voters, index)
    await scene.send(voter, [
      vote(id, voter.address, NO),
      vote(id, voter.address, index % 2 === 0 ? YES : ABSTAIN),
    ])
    if (index % 3 === 0) await scene.cast(name, [[voter, VETO]])
  }
  await Promise.all(Array.from({ length: 6 }, (_, turn) => change(from + turn)))
}

/** Votes without a pause while the vote closes: some stand in the closing block, the rest are refused. */
export async function voteAtTheBell(scene: Scene, name: string, first: number): Promise<void> {
  const closesAt = await scene.findClose(name)
  await scene.at(closesAt - 2.5)
  const outcomes = await keepSending(scene, closesAt, {
    pauseMs: 60,
    move: (turn) => {
      const voter = nth(scene.voters, (first + turn) % scene.voters.length)
      return [voter, vote(scene.id(name), voter.address, turn % 3 === 0 ? NO : YES)]
    },
  })
  const taken = outcomes.filter(({ code }) => code === 0).length
  if (taken === 0 || taken === outcomes.length) {
    throw new Error(`${taken} of ${outcomes.length} votes at the bell were taken`)
  }
}

/** Submitted, voted on and canceled in one tx: no committed state ever has it. */
export async function vanish(scene: Scene): Promise<void> {
  const author = scene.person('stranger')
  // The ids are given out in order.
  const id = BigInt(scene.proposals.size + 1)
  await scene.send(author, [
    submit(author.address, textOf('vanished'), 100n * ROLL),
    vote(id, author.address, YES),
    cancel(id, author.address),
  ])
  scene.proposals.set('vanished', id)
}

/** The chain refuses these; none may be counted. */
export async function voteInVain(scene: Scene, closed: string): Promise<void> {
  const { address } = nth(scene.voters, 30)
  const tooMuch = [
    [YES, '0.9'],
    [NO, '0.2'],
  ] as const
  const refused: EncodeObject[] = [
    vote(scene.id(closed), address, YES),
    vote(999_999n, address, YES),
    weightedVote(scene.id(closed), address, tooMuch),
  ]
  for (const message of refused) {
    const { code } = await scene.send(nth(scene.voters, 30), [message], { mayFail: true })
    if (code === 0) throw new Error('the chain took a vote that it should refuse')
  }
}

/** Large holders and voters move stake between pools after their votes. */
export async function moveStake(scene: Scene, salt: number): Promise<void> {
  const { operator, send } = scene
  const whale = (index: number) => nth(scene.whales, (index + salt) % scene.whales.length)
  const voter = (index: number) => nth(scene.voters, index + salt * 17)
  const elsewhere = redelegate(
    whale(0),
    [operator(0), operator(3 + salt)],
    123_456_789_012n + BigInt(salt),
  )
  await Promise.all([
    send(whale(0), [elsewhere]),
    send(whale(1), [undelegate(whale(1), operator(0), 77_777_777_777n)]),
    send(whale(2), [delegate(whale(2), operator(5 + salt), 55_555_555_555n)]),
    send(voter(40), [
      delegate(voter(40), operator(2), 1_234_567_891n),
      delegate(voter(40), operator(8), 1_000_000_007n),
    ]),
    send(voter(41), [delegate(voter(41), operator(11), 3_333_333_333n)]),
  ])
}

/** A pool that did not exist when the vote began, and one that takes another name. */
export async function changePools(scene: Scene): Promise<void> {
  const founder = scene.person('stranger')
  const unchanged = '[do-not-modify]'
  const describe = (moniker: string, details: string, website = '') => {
    const rest = details === unchanged ? unchanged : ''
    return { moniker, details, website, identity: rest, securityContact: rest }
  }
  const create = createMessage(MsgCreateValidator, {
    description: describe('Newcomer 🌱', 'Bonded while votes are on.'),
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
  })
  await scene.send(founder, [create])
  const moniker = 'Formerly 量子 <img src=x onerror=alert(1)>'
  const edit = createMessage(MsgEditValidator, {
    validatorAddress: toPoolAddress(scene.operator(9)),
    description: describe(moniker, unchanged, 'javascript:alert(1)'),
  })
  await scene.send(scene.operator(9), [edit])
}
