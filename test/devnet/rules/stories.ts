// The votes of a chain with each rule: the same ballots end otherwise, and the stake moves while they are open.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Account } from '../accounts.ts'
import { delegate } from '../scenario/prepare.ts'
import { ROLL } from '../scenario/scene.ts'
import { redelegate, undelegate } from '../scenario/side-stories.ts'
import { readProposal } from './gov-reads.ts'
import {
  addTo,
  becomeGovernor,
  chooseGovernor,
  commit,
  leaveGovernor,
  leavePosition,
  lock,
  movePosition,
  setGovernorStatus,
} from './messages.ts'
import { createLimitChange, playEpoch, playShrink, playSteward } from './module-stories.ts'
import { MIN_GOVERNOR_STAKE, type Rule, VOTING_SECONDS } from './rules-chain.ts'
import type { Stage } from './stage.ts'

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
const BELL_PAUSE_MS = 150

/** Only with the silent stake of its pool does the second operator win. */
async function playInherited(stage: Stage): Promise<void> {
  await stage.vote('inherited', [
    [stage.operator(0), 'abstain'],
    [stage.operator(1), 'yes'],
    [stage.whale('west'), 'no'],
    [stage.operator(3), 'no'],
    [stage.operator(4), 'no'],
  ])
}

/** Everybody votes, some in thirds, and the movers move stake until after the vote. */
async function playMixed(stage: Stage, move: (turn: number) => [Account, EncodeObject]) {
  const { scene, whale, operator } = stage
  await scene.at(MIXED_AT)
  await stage.propose({ mixed: [] })
  const voters = [operator(1), operator(3), whale('east'), whale('south')]
  await Promise.all([
    stage.vote('mixed', [
      [operator(0), 'abstain'],
      [whale('north'), 'no'],
      [whale('west'), 'yes'],
      [scene.person('treasurer'), 'yes'],
      [scene.person('core-team'), 'yes'],
    ]),
    ...voters.map((voter) => stage.send(voter, [stage.split('mixed', voter)])),
  ])
  const pending: Promise<unknown>[] = []
  for (let turn = 0; scene.seconds() < MIXED_AT + VOTING_SECONDS + 1; turn++) {
    const [from, message] = move(turn)
    pending.push(stage.send(from, [message], true))
    const isNearEnd = scene.seconds() > MIXED_AT + VOTING_SECONDS - 2
    await sleep(isNearEnd ? BELL_PAUSE_MS : 10 * BELL_PAUSE_MS)
  }
  await Promise.all(pending)
}

/** Two people move small stake in odd base units. */
function createOrdinaryMoves(stage: Stage) {
  const { scene, operator } = stage
  return (turn: number): [Account, EncodeObject] => {
    const mover = scene.person(turn % 2 === 0 ? 'treasurer' : 'core-team')
    const amount = 7n * ROLL + BigInt(turn * 1_013 + 7)
    if (turn % 5 === 3) return [mover, undelegate(mover, operator(1), amount)]
    if (turn % 5 === 4) return [mover, redelegate(mover, [operator(1), operator(3)], amount)]
    return [mover, delegate(mover, operator(1), 10n * amount)]
  }
}

async function playGov(stage: Stage): Promise<void> {
  const { scene } = stage
  const limit = await createLimitChange(stage, scene.operators.length - 1)
  scene.begin()
  await stage.propose({ inherited: [], shrink: [limit], afterShrink: [] })
  await stage.propose({ vetoed: [], prolonged: [], endedEarly: [] })
  // Ordinary moves begin when the vote that needs exact sums is closed.
  const ordinary = createOrdinaryMoves(stage)
  const waiter = scene.person('depositor')
  const move = (turn: number): [Account, EncodeObject] =>
    scene.seconds() > VOTING_SECONDS + 2
      ? ordinary(turn)
      : [waiter, stage.voteWith('mixed', waiter, '')]
  await Promise.all([
    playInherited(stage),
    playShrink(stage),
    playSteward(stage),
    playMixed(stage, move),
  ])
  await scene.at(MIXED_AT + VOTING_SECONDS + 3)
  await playEpoch(stage)
}

/** The owner of positions wins, unless its stake is not counted, or counted for the operator, too. */
async function playExtra(stage: Stage): Promise<void> {
  const { scene, operator, whale } = stage
  const holder = scene.person('community')
  await stage.send(holder, [delegate(holder, operator(3), 50_000n * ROLL + 3n)])
  scene.begin()
  await stage.propose({ inherited: [], positions: [] })
  const positions = async () => {
    await stage.vote('positions', [
      [operator(0), 'abstain'],
      [operator(2), 'no'],
      [whale('west'), 'no'],
    ])
    await stage.send(holder, [lock(holder, operator(2), 3_000_000n * ROLL + 1n)])
    await stage.send(holder, [lock(holder, operator(3), 700_000n * ROLL + 5n)])
    await stage.vote('positions', [[holder, 'yes']])
  }
  // By turns more stake, stake from the own delegation, and the same elsewhere.
  const move = (turn: number): [Account, EncodeObject] => {
    const amount = 11n * ROLL + BigInt(turn * 977 + 3)
    if (turn === 4) return [holder, movePosition(1n, holder, operator(1))]
    if (turn === 7) return [holder, commit(holder, operator(3), 20_000n * ROLL + 1n)]
    if (turn === 9) return [holder, leavePosition(2n, holder)]
    if (turn % 3 === 1) return [whale('east'), lock(whale('east'), operator(1), amount)]
    if (turn % 3 === 2) return [whale('west'), commit(whale('west'), operator(2), amount)]
    return [holder, addTo(0n, holder, amount)]
  }
  await Promise.all([playInherited(stage), positions(), playMixed(stage, move)])
}

async function electGovernors(stage: Stage): Promise<readonly [Account, Account]> {
  const { scene, operator, whale } = stage
  const [first, second] = [scene.person('core-team'), scene.person('treasurer')]
  await stage.send(first, [
    delegate(first, operator(3), MIN_GOVERNOR_STAKE + 100_000n * ROLL + 9n),
    becomeGovernor(first),
  ])
  await stage.send(second, [
    delegate(second, operator(2), MIN_GOVERNOR_STAKE + 1n),
    delegate(second, operator(1), 11n),
    becomeGovernor(second),
  ])
  await stage.send(whale('east'), [chooseGovernor(whale('east'), first)])
  await stage.send(whale('reed'), [chooseGovernor(whale('reed'), second)])
  await stage.send(whale('west'), [chooseGovernor(whale('west'), first)])
  return [first, second]
}

/** A governor wins with the stake of its delegators, loses it to their own votes, and to its own poverty. */
async function playGovernors(stage: Stage): Promise<void> {
  const { scene, operator, whale } = stage
  const [first, second] = await electGovernors(stage)
  const others = (name: string) =>
    stage.vote(name, [
      [operator(0), 'abstain'],
      [operator(3), 'no'],
      [operator(4), 'no'],
    ])
  scene.begin()
  await stage.propose({ inherited: [], governed: [], outvoted: [], poorGovernor: [] })
  await stage.propose({ vetoed: [], prolonged: [] })
  const governed = async () => {
    await Promise.all(['governed', 'outvoted', 'poorGovernor'].map(others))
    await stage.vote('governed', [[first, 'yes']])
    await stage.vote('outvoted', [
      [first, 'yes'],
      [whale('east'), 'no'],
    ])
    await stage.vote('poorGovernor', [[second, 'yes']])
    await scene.at(15)
    // No event says that the governor is inactive from now on.
    await stage.send(second, [undelegate(second, operator(2), 50n)])
  }
  // Choices change, and so does the stake of the delegators.
  const move = (turn: number): [Account, EncodeObject] => {
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
  await Promise.all([playInherited(stage), governed(), playSteward(stage), playMixed(stage, move)])
}

async function playPlain(stage: Stage): Promise<void> {
  stage.scene.begin()
  await stage.propose({ inherited: [] })
  await Promise.all([playInherited(stage), playMixed(stage, createOrdinaryMoves(stage))])
}

const STORIES: Record<Rule, (stage: Stage) => Promise<void>> = {
  gov: playGov,
  extra: playExtra,
  governors: playGovernors,
  alone: playPlain,
  twice: playPlain,
}

export type RulesPlayed = { proposals: ReadonlyMap<string, bigint>; lastHeight: number }

async function untilClosed({ chain, rule, proposals }: Stage): Promise<void> {
  for (const id of proposals.values()) {
    while ((await readProposal(chain.rpc, rule, id, 0)).status === 'voting_period') {
      await chain.untilHeight(chain.tip().height + 1)
    }
  }
}

/** Ends when every vote is closed. */
export async function playRules(stage: Stage): Promise<RulesPlayed> {
  await STORIES[stage.rule](stage)
  await untilClosed(stage)
  const lastHeight = stage.chain.tip().height + 1
  await stage.chain.untilHeight(lastHeight + 1)
  return { proposals: stage.proposals, lastHeight }
}
