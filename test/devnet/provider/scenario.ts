// Plays the votes of the provider chain: pools cross the limit during the votes, and the limit itself changes.
import type { Account } from '../accounts.ts'
import type { Devnet } from '../chain.ts'
import type { Periods } from '../genesis.ts'
import { ABSTAIN, NO, vote, YES } from '../messages.ts'
import { votingEndMs } from '../scenario/chain-reads.ts'
import { delegate } from '../scenario/prepare.ts'
import { createScene, type Scene } from '../scenario/scene.ts'
import { nth } from '../scenario/side-stories.ts'
import { connectChain } from '../transactions.ts'
import { createVote } from './ballots.ts'
import { readCountedPools } from './counted-pools.ts'
import { CHANGES, LIMITS, type Name, QUIET, submitConvoy, submitNamed } from './proposals.ts'
import { type LargeName, QUIET_BASE } from './provider-chain.ts'
import { jailUntil, moveOneByOne, overtakeUntil, slashCounted, TAKEN } from './stake-story.ts'

const VOTING = 36
export const PROVIDER_PERIODS: Periods = {
  votingSeconds: VOTING,
  expeditedSeconds: 16,
  depositSeconds: 30,
}

/** Seconds of the scene. */
const RESTARTED_AT = 10
const CONVOY_AT = 14
/** Between the submissions of two groups, and so between their closes. */
const GAP_SECONDS = 8
/** From before the first close of a convoy until after its last one. */
const MARGIN_SECONDS = 2
const CONVOY_EACH = 8

export type ProviderPlayed = {
  proposals: Map<Name, bigint>
  /** Votes whose end is not planned. */
  convoys: bigint[]
  lastHeight: number
}

type Stage = {
  scene: Scene
  large(name: LargeName): Account
  proposals: Map<Name, bigint>
  /** Indexes of the pools that are not to be jailed again. */
  left: number[]
}

/** Tops the first pool up, so that the counted tokens are those of which the quorum was computed. */
async function completeBase({ scene }: Stage): Promise<void> {
  const { tokens } = await readCountedPools(scene.chain.rpc, 0)
  const faucet = scene.person('faucet')
  const missing = QUIET_BASE - tokens
  await scene.chain.send(faucet, [delegate(faucet, nth(scene.operators, 0), missing)])
}

const getId = ({ proposals }: Stage, name: Name): bigint => {
  const id = proposals.get(name)
  if (id === undefined) throw new Error(`proposal ${name} is not submitted yet`)
  return id
}

/** The end of a vote, in seconds of the scene. */
async function findClose(scene: Scene, id: bigint): Promise<number> {
  const endMs = await votingEndMs(scene, id)
  return scene.seconds() + (endMs - scene.chain.tip().timeMs) / 1_000
}

type Choice = readonly [Account, Parameters<typeof vote>[2], Name]

async function castAll(stage: Stage, choices: readonly Choice[]): Promise<void> {
  const messages = new Map<Account, ReturnType<typeof vote>[]>()
  for (const [voter, option, name] of choices) {
    const own = messages.get(voter) ?? []
    own.push(vote(getId(stage, name), voter.address, option))
    messages.set(voter, own)
  }
  const send = ([voter, own]: [Account, ReturnType<typeof vote>[]]) =>
    stage.scene.chain.send(voter, own, { gas: 6_000_000 })
  await Promise.all([...messages].map(send))
}

async function submitInto(stage: Stage, names: readonly Name[], expedited = false): Promise<void> {
  const submitted = await submitNamed(stage.scene, names, expedited)
  for (const [name, id] of submitted) stage.proposals.set(name, id)
}

/** One base unit decides whether the quorum is reached, and pools outside the limit count nothing. */
async function voteQuietly(stage: Stage): Promise<void> {
  const { scene, large } = stage
  await submitInto(stage, QUIET)
  const outside = [3, 5, 6, 7, 8].map(
    (index): Choice => [nth(scene.operators, index), YES, 'outsideOnly'],
  )
  await castAll(stage, [
    [large('almost'), YES, 'belowQuorum'],
    [large('almost'), YES, 'atQuorum'],
    [large('grain'), YES, 'atQuorum'],
    [large('almost'), NO, 'outsideOnly'],
    [large('grain'), NO, 'outsideOnly'],
    ...outside,
  ])
  // Until these votes are closed, the base of their quorum must be what was computed.
  await scene.at((await findClose(scene, getId(stage, 'atQuorum'))) + MARGIN_SECONDS)
  await moveOneByOne(scene)
}

/** The same votes before and after the change of the limit. */
async function voteOnLimits(stage: Stage): Promise<void> {
  const { scene, large } = stage
  await submitInto(stage, LIMITS)
  const changes = LIMITS.filter((name) => CHANGES.has(name))
  const supporters = (['almost', 'north', 'south'] as const).map(large)
  const others = LIMITS.filter((name) => !CHANGES.has(name))
  const poolOperators = scene.operators.slice(1)
  await castAll(stage, [
    ...changes.flatMap((name) => supporters.map((each): Choice => [each, YES, name])),
    ...others.flatMap((name) => poolOperators.map((each): Choice => [each, YES, name])),
    ...others.map((name): Choice => [large('north'), NO, name]),
    ...others.map((name): Choice => [large('south'), ABSTAIN, name]),
  ])
}

/** Its votes are enough for a regular threshold and too few for an expedited one. */
async function restart(stage: Stage): Promise<void> {
  const { scene, large } = stage
  const castVotes = () =>
    castAll(stage, [
      [large('almost'), YES, 'restarted'],
      [large('north'), NO, 'restarted'],
    ])
  await scene.at(RESTARTED_AT)
  await submitInto(stage, ['restarted'], true)
  await castVotes()
  await scene.at((await findClose(scene, getId(stage, 'restarted'))) + MARGIN_SECONDS)
  // The chain has deleted the votes of the first round.
  await castVotes()
}

async function passExpedited(stage: Stage): Promise<void> {
  await submitInto(stage, ['expedited'], true)
  await castAll(stage, [
    [stage.large('almost'), YES, 'expedited'],
    [stage.large('south'), YES, 'expedited'],
    [stage.large('north'), NO, 'expedited'],
  ])
}

type Window = { from: number; until: number }

/** Three in four accounts vote on all of it. Half of them change their votes, and some do so in the closing blocks. */
async function voteOnConvoy({ scene }: Stage, ids: readonly bigint[], { from, until }: Window) {
  const voters = [...scene.operators, ...scene.whales]
  const castWave = (wave: number, isChosen: (index: number) => boolean) =>
    Promise.all(
      voters
        .filter((_, index) => isChosen(index))
        .map((voter) => {
          const ballots = ids.map((id) => createVote(id, voter, wave))
          return scene.chain.send(voter, ballots, { gas: 10_000_000 })
        }),
    )
  await castWave(1, (index) => index % 4 !== 3)
  await castWave(2, (index) => index % 2 === 0)
  await scene.at(from)
  for (let turn = 0; scene.seconds() < until; turn++) {
    const voter = nth(voters, turn % voters.length)
    const id = nth(ids, turn % ids.length)
    await scene.chain.send(voter, [createVote(id, voter, 3)], { mayFail: true })
  }
}

/** While the convoy closes, pools cross the limit in every block. */
async function playConvoy(
  stage: Stage,
  ids: readonly bigint[],
  crossLimit: (until: number) => Promise<void>,
): Promise<void> {
  const { scene } = stage
  const window = {
    from: (await findClose(scene, nth(ids, 0))) - MARGIN_SECONDS,
    until: (await findClose(scene, nth(ids, ids.length - 1))) + MARGIN_SECONDS,
  }
  const cross = async () => {
    await scene.at(window.from)
    await Promise.all([overtakeUntil(scene, window.until), crossLimit(window.until)])
  }
  await Promise.all([voteOnConvoy(stage, ids, window), cross()])
}

/** Submits the groups one after the other; each is voted on and closed while others are open. */
async function playGroups(stage: Stage): Promise<bigint[]> {
  const { scene, left } = stage
  const pause = () => scene.at(scene.seconds() + GAP_SECONDS)
  await scene.at(CONVOY_AT)
  const early = await submitConvoy(scene, CONVOY_EACH)
  const later = async (): Promise<bigint[]> => {
    await pause()
    await voteOnLimits(stage)
    await pause()
    const late = await submitConvoy(scene, CONVOY_EACH)
    await playConvoy(stage, late, async (until) => {
      await scene.at(scene.seconds() + MARGIN_SECONDS)
      await Promise.all([slashCounted(scene, left), passExpedited(stage)])
      await jailUntil(scene, until, left)
    })
    return late
  }
  const [late] = await Promise.all([
    later(),
    playConvoy(stage, early, (until) => jailUntil(scene, until, left)),
  ])
  return [...early, ...late]
}

/** On a chain with `PROVIDER_PERIODS`; ends when every vote is closed. */
export async function playProvider(
  devnet: Devnet,
  progress: (line: string) => void = () => {},
): Promise<ProviderPlayed> {
  const chain = await connectChain(devnet.rpcUrl, devnet.spec.chainId)
  try {
    await chain.untilHeight(2)
    const scene = createScene(devnet, chain, [])
    const large = (name: LargeName): Account => {
      const found = scene.whales.find((whale) => whale.name === name)
      if (!found) throw new Error(`no large delegator ${name}`)
      return found
    }
    const stage: Stage = { scene, large, proposals: new Map(), left: [...TAKEN] }
    await completeBase(stage)
    scene.begin()
    progress(`the votes begin at height ${chain.tip().height}`)
    const [convoys] = await Promise.all([playGroups(stage), voteQuietly(stage), restart(stage)])
    await scene.at((await findClose(scene, getId(stage, 'expedited'))) + MARGIN_SECONDS)
    const lastHeight = chain.tip().height
    await chain.untilHeight(lastHeight + 1)
    progress(`the votes ended at height ${lastHeight}`)
    return { proposals: stage.proposals, convoys, lastHeight }
  } finally {
    await chain.close()
  }
}
