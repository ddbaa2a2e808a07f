// The votes of a chain with each rule: the same ballots end otherwise, and the stake moves while they are open.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Account } from '../accounts.ts'
import { ROLL } from '../genesis.ts'
import {
  ABSTAIN,
  delegate,
  NO,
  redelegate,
  undelegate,
  vote,
  voteInThirds,
  YES,
} from '../messages.ts'
import { keepSending, type Scene } from '../scene.ts'
import {
  addTo,
  becomeGovernor,
  chooseGovernor,
  commit,
  leaveGovernor,
  leavePosition,
  lock,
  movePosition,
  putOff,
  setGovernorStatus,
} from './messages.ts'
import { MIN_GOVERNOR_STAKE, type Rule, STEWARD, VOTING_SECONDS } from './rules-chain.ts'

type Ending = 'passed' | 'rejected' | 'vetoed'
/** How each vote ends on a chain with the rule. */
export const ENDINGS: Record<Rule, Record<string, Ending>> = {
  gov: {
    inherited: 'passed',
    shrink: 'passed',
    afterShrink: 'passed',
    vetoed: 'vetoed',
    prolonged: 'passed',
    endedEarly: 'passed',
    mixed: 'rejected',
    epoch: 'passed',
  },
  extra: { inherited: 'passed', positions: 'passed', mixed: 'rejected' },
  governors: {
    inherited: 'rejected',
    governed: 'passed',
    outvoted: 'rejected',
    poorGovernor: 'rejected',
    vetoed: 'vetoed',
    prolonged: 'passed',
    mixed: 'rejected',
  },
  alone: { inherited: 'rejected', mixed: 'rejected' },
  twice: { inherited: 'rejected', mixed: 'rejected' },
}

const MIXED_AT = 10
const PAUSE_MS = 1_000
const BELL_PAUSE_MS = 150

/** What is sent in each turn while the last vote is open. */
type Move = (turn: number) => [Account, EncodeObject]

/** Only with the silent stake of its pool does the second operator win. */
const playInherited = ({ cast, operator, whale }: Scene) =>
  cast('inherited', [
    [operator(0), ABSTAIN],
    [operator(1), YES],
    [whale('west'), NO],
    [operator(3), NO],
    [operator(4), NO],
  ])

/** Everybody votes, some in thirds, and the movers move stake until after the vote. */
async function playMixed(scene: Scene, move: Move): Promise<void> {
  const { operator, whale, person, send } = scene
  await scene.at(MIXED_AT)
  await scene.propose('council', { mixed: {} })
  const inThirds = [operator(1), operator(3), whale('east'), whale('south')]
  await Promise.all([
    scene.cast('mixed', [
      [operator(0), ABSTAIN],
      [whale('north'), NO],
      [whale('west'), YES],
      [person('treasurer'), YES],
      [person('core-team'), YES],
    ]),
    ...inThirds.map((voter) => send(voter, [voteInThirds(scene.id('mixed'), voter.address)])),
  ])
  const end = MIXED_AT + VOTING_SECONDS
  await keepSending(scene, end - 2, { pauseMs: PAUSE_MS, move })
  await keepSending(scene, end + 1, { pauseMs: BELL_PAUSE_MS, move })
}

/** Two people move small stake in odd base units. */
function createOrdinaryMoves({ operator, person }: Scene): Move {
  return (turn) => {
    const mover = person(turn % 2 === 0 ? 'treasurer' : 'core-team')
    const amount = 7n * ROLL + BigInt(turn * 1_013 + 7)
    if (turn % 5 === 3) return [mover, undelegate(mover, operator(1), amount)]
    if (turn % 5 === 4) return [mover, redelegate(mover, [operator(1), operator(3)], amount)]
    return [mover, delegate(mover, operator(1), 10n * amount)]
  }
}

/** One pool fewer is walked by the second tally of the end block: only of that smaller sum is its quorum reached. */
async function playShrink({ cast, operator, whale }: Scene): Promise<void> {
  await cast('shrink', [[operator(0), YES]])
  const supporters = [whale('north'), whale('south'), whale('grain'), operator(1), operator(2)]
  await cast(
    'afterShrink',
    supporters.map((voter) => [voter, YES]),
  )
}

/** The steward's hook vetoes one vote and prolongs another, which only the votes after its first end decide. */
async function playSteward(scene: Scene): Promise<void> {
  const { cast, operator, whale, proposals } = scene
  const steward = scene.person(STEWARD)
  const voteWith = (name: string, metadata: string) =>
    scene.send(steward, [vote(scene.id(name), steward.address, YES, metadata)])
  const begin = scene.seconds()
  await cast('vetoed', [[whale('north'), YES]])
  await cast('prolonged', [
    [operator(0), ABSTAIN],
    [whale('north'), NO],
  ])
  await scene.at(begin + 4)
  await voteWith('vetoed', 'veto')
  await voteWith('prolonged', 'prolong')
  if (proposals.has('endedEarly')) {
    await cast('endedEarly', [[operator(0), YES]])
    await voteWith('endedEarly', 'end')
  }
  await scene.at(begin + VOTING_SECONDS + 3)
  await cast('prolonged', [
    [whale('south'), YES],
    [whale('reed'), YES],
  ])
}

/** Stake that moves after the tally of the closing block would turn the result. */
async function playEpoch(scene: Scene): Promise<void> {
  const { operator, whale } = scene
  await scene.propose('council', { epoch: {} })
  const end = scene.seconds() + VOTING_SECONDS
  await scene.cast('epoch', [
    [operator(0), ABSTAIN],
    [whale('reed'), YES],
    [whale('west'), NO],
  ])
  await scene.at(end - 5)
  const leaving = undelegate(whale('reed'), operator(1), 2_000_000n * ROLL)
  const coming = delegate(whale('west'), operator(2), 5_000_000n * ROLL)
  await scene.send(whale('reed'), [putOff(leaving)])
  await scene.send(whale('west'), [putOff(coming)])
}

async function playGov(scene: Scene): Promise<void> {
  const messages = [await scene.state.updateStaking({ maxValidators: scene.operators.length - 1 })]
  scene.begin()
  await scene.propose('council', { inherited: {}, shrink: { messages }, afterShrink: {} })
  await scene.propose('council', { vetoed: {}, prolonged: {}, endedEarly: {} })
  // Ordinary moves begin when the vote that needs exact sums is closed.
  const ordinary = createOrdinaryMoves(scene)
  const waiter = scene.person('depositor')
  const move: Move = (turn) =>
    scene.seconds() > VOTING_SECONDS + 2
      ? ordinary(turn)
      : [waiter, vote(scene.id('mixed'), waiter.address, YES)]
  await Promise.all([
    playInherited(scene),
    playShrink(scene),
    playSteward(scene),
    playMixed(scene, move),
  ])
  await scene.at(MIXED_AT + VOTING_SECONDS + 3)
  await playEpoch(scene)
}

/** The owner of positions wins, unless its stake is not counted, or counted for the operator, too. */
async function playExtra(scene: Scene): Promise<void> {
  const { operator, whale, send, cast } = scene
  const holder = scene.person('community')
  await send(holder, [delegate(holder, operator(3), 50_000n * ROLL + 3n)])
  scene.begin()
  await scene.propose('council', { inherited: {}, positions: {} })
  const positions = async () => {
    await cast('positions', [
      [operator(0), ABSTAIN],
      [operator(2), NO],
      [whale('west'), NO],
    ])
    await send(holder, [lock(holder, operator(2), 3_000_000n * ROLL + 1n)])
    await send(holder, [lock(holder, operator(3), 700_000n * ROLL + 5n)])
    await cast('positions', [[holder, YES]])
  }
  // By turns more stake, stake from the own delegation, and the same elsewhere.
  const move: Move = (turn) => {
    const amount = 11n * ROLL + BigInt(turn * 977 + 3)
    if (turn === 4) return [holder, movePosition(1n, holder, operator(1))]
    if (turn === 7) return [holder, commit(holder, operator(3), 20_000n * ROLL + 1n)]
    if (turn === 9) return [holder, leavePosition(2n, holder)]
    if (turn % 3 === 1) return [whale('east'), lock(whale('east'), operator(1), amount)]
    if (turn % 3 === 2) return [whale('west'), commit(whale('west'), operator(2), amount)]
    return [holder, addTo(0n, holder, amount)]
  }
  await Promise.all([playInherited(scene), positions(), playMixed(scene, move)])
}

async function electGovernors(scene: Scene): Promise<readonly [Account, Account]> {
  const { operator, whale, send } = scene
  const [first, second] = [scene.person('core-team'), scene.person('treasurer')]
  await send(first, [
    delegate(first, operator(3), MIN_GOVERNOR_STAKE + 100_000n * ROLL + 9n),
    becomeGovernor(first),
  ])
  await send(second, [
    delegate(second, operator(2), MIN_GOVERNOR_STAKE + 1n),
    delegate(second, operator(1), 11n),
    becomeGovernor(second),
  ])
  await send(whale('east'), [chooseGovernor(whale('east'), first)])
  await send(whale('reed'), [chooseGovernor(whale('reed'), second)])
  await send(whale('west'), [chooseGovernor(whale('west'), first)])
  return [first, second]
}

/** A governor wins with the stake of its delegators, loses it to their own votes, and to its own poverty. */
async function playGovernors(scene: Scene): Promise<void> {
  const { operator, whale, send, cast } = scene
  const [first, second] = await electGovernors(scene)
  scene.begin()
  await scene.propose('council', { inherited: {}, governed: {}, outvoted: {}, poorGovernor: {} })
  await scene.propose('council', { vetoed: {}, prolonged: {} })
  const governed = async () => {
    for (const name of ['governed', 'outvoted', 'poorGovernor']) {
      await cast(name, [
        [operator(0), ABSTAIN],
        [operator(3), NO],
        [operator(4), NO],
        [name === 'poorGovernor' ? second : first, YES],
      ])
    }
    await cast('outvoted', [[whale('east'), NO]])
    await scene.at(15)
    // No event says that the governor is inactive from now on.
    await send(second, [undelegate(second, operator(2), 50n)])
  }
  // Choices change, and so does the stake of the delegators.
  const move: Move = (turn) => {
    const amount = 13n * ROLL + BigInt(turn * 991 + 1)
    const chooser = scene.person('stranger')
    if (scene.seconds() < VOTING_SECONDS + 2)
      return [chooser, delegate(chooser, operator(1), amount)]
    const kinds: [Account, EncodeObject][] = [
      [chooser, chooseGovernor(chooser, first)],
      [whale('east'), delegate(whale('east'), operator(3), amount)],
      [whale('west'), leaveGovernor(whale('west'))],
      [chooser, delegate(chooser, operator(2), amount)],
      [first, setGovernorStatus(first, 'inactive')],
      [whale('east'), undelegate(whale('east'), operator(1), amount)],
      [first, setGovernorStatus(first, 'active')],
      [whale('west'), chooseGovernor(whale('west'), first)],
    ]
    return kinds[turn % kinds.length] ?? [chooser, leaveGovernor(chooser)]
  }
  await Promise.all([playInherited(scene), governed(), playSteward(scene), playMixed(scene, move)])
}

async function playPlain(scene: Scene): Promise<void> {
  scene.begin()
  await scene.propose('council', { inherited: {} })
  await Promise.all([playInherited(scene), playMixed(scene, createOrdinaryMoves(scene))])
}

export const STORIES: Readonly<Record<Rule, (scene: Scene) => Promise<void>>> = {
  gov: playGov,
  extra: playExtra,
  governors: playGovernors,
  alone: playPlain,
  twice: playPlain,
}
