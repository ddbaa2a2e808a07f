// The votes of the provider chain: pools cross the limit during the votes, and the limit itself changes.
import type { VoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { Account } from '../accounts.ts'
import { ABSTAIN, delegate, NO, YES } from '../messages.ts'
import { voteInCrowd } from '../scenario/crowds.ts'
import { nth, type Scene } from '../scene.ts'
import { readCountedPools, updateLimit } from './counted-pools.ts'
import { QUIET_BASE } from './provider-chain.ts'
import { jailUntil, moveOneByOne, overtakeUntil, slashCounted, TAKEN } from './stake-story.ts'

/** `countedOfFour` and `countedOfThree` have the same votes: they differ by the limit alone. */
export const ENDINGS = {
  belowQuorum: 'rejected',
  atQuorum: 'passed',
  outsideOnly: 'rejected',
  countedOfFour: 'rejected',
  limitOfThree: 'passed',
  countedOfThree: 'rejected',
}

/** The limit in the tallies of the proposals that close in one end block, in this order. */
export const LIMITS = { countedOfFour: 4, limitOfThree: 4, countedOfThree: 3 }

/** Seconds of the scene. */
const CONVOY_AT = 14
/** Between the submissions of two groups, and so between their closes. */
const GAP_SECONDS = 8
/** From before the first close of a convoy until after its last one. */
const MARGIN_SECONDS = 2
const CONVOY_EACH = 8

/** Tops the first pool up, so that the counted tokens are those of which the quorum was computed. */
async function completeBase(scene: Scene): Promise<void> {
  const { tokens } = await readCountedPools(scene, 0)
  const faucet = scene.person('faucet')
  await scene.send(faucet, [delegate(faucet, scene.operator(0), QUIET_BASE - tokens)])
}

/** One base unit decides whether the quorum is reached, and pools outside the limit count nothing. */
async function voteQuietly(scene: Scene): Promise<void> {
  const { cast, whale, operator } = scene
  await scene.propose('council', { belowQuorum: {}, atQuorum: {}, outsideOnly: {} })
  const [almost, grain] = [whale('almost'), whale('grain')]
  await cast('belowQuorum', [[almost, YES]])
  await cast('atQuorum', [
    [almost, YES],
    [grain, YES],
  ])
  const outside = [3, 5, 6, 7, 8].map((index): [Account, VoteOption] => [operator(index), YES])
  await cast('outsideOnly', [[almost, NO], [grain, NO], ...outside])
  // Until these votes are closed, the base of their quorum must be what was computed.
  await scene.at((await scene.findClose('atQuorum')) + MARGIN_SECONDS)
  await moveOneByOne(scene)
}

/** The same votes before and after the change of the limit. */
async function voteOnLimits(scene: Scene): Promise<void> {
  const { cast, whale, operators } = scene
  const limitOfThree = { messages: [await updateLimit(scene, LIMITS.countedOfThree)] }
  await scene.propose('council', { countedOfFour: {}, limitOfThree, countedOfThree: {} })
  await cast('limitOfThree', [
    [whale('almost'), YES],
    [whale('north'), YES],
    [whale('south'), YES],
  ])
  for (const name of ['countedOfFour', 'countedOfThree']) {
    await cast(name, [
      ...operators.slice(1).map((operator): [Account, VoteOption] => [operator, YES]),
      [whale('north'), NO],
      [whale('south'), ABSTAIN],
    ])
  }
}

/** Each is in a later block than the one before, so that the votes also close one after the other. */
async function submitConvoy(scene: Scene, convoy: string): Promise<string[]> {
  const names = Array.from({ length: CONVOY_EACH }, (_, index) => `${convoy} ${index}`)
  for (const name of names) await scene.propose('community', { [name]: {} })
  return names
}

/** Most pools and large delegators vote on all of it until shortly before its end. Every second proposal is unpopular. */
async function voteOnConvoy(scene: Scene, names: readonly string[], until: number) {
  const seconds = [scene.seconds(), until] as const
  const cast = (name: string, index: number) => {
    const mix = index % 2 === 0 ? ([50, 35, 10, 5] as const) : ([20, 30, 10, 40] as const)
    const large = `${'YNAV.'.slice(index % 5)}YNYANY.VYN`
    return voteInCrowd(scene, name, { seconds, large, drawn: [6, 0], mix })
  }
  await Promise.all(names.map(cast))
}

/** While the convoy closes, pools cross the limit in every block. */
async function playConvoy(
  scene: Scene,
  names: readonly string[],
  crossLimit: (until: number) => Promise<void>,
): Promise<void> {
  const from = (await scene.findClose(nth(names, 0))) - MARGIN_SECONDS
  const until = (await scene.findClose(nth(names, names.length - 1))) + MARGIN_SECONDS
  const cross = async () => {
    await scene.at(from)
    await Promise.all([overtakeUntil(scene, until), crossLimit(until)])
  }
  await Promise.all([voteOnConvoy(scene, names, from), cross()])
}

/** Submits the groups one after the other; each is voted on and closed while others are open. */
async function playGroups(scene: Scene): Promise<void> {
  /** Indexes of the pools that are not to be jailed again. */
  const left = [...TAKEN]
  const pause = () => scene.at(scene.seconds() + GAP_SECONDS)
  await scene.at(CONVOY_AT)
  const early = await submitConvoy(scene, 'early')
  const later = async () => {
    await pause()
    await voteOnLimits(scene)
    await pause()
    await playConvoy(scene, await submitConvoy(scene, 'late'), async (until) => {
      await scene.at(scene.seconds() + MARGIN_SECONDS)
      await slashCounted(scene, left)
      await jailUntil(scene, until, left)
    })
  }
  await Promise.all([later(), playConvoy(scene, early, (until) => jailUntil(scene, until, left))])
}

export async function playProvider(scene: Scene): Promise<void> {
  await completeBase(scene)
  scene.begin()
  await Promise.all([playGroups(scene), voteQuietly(scene)])
}
