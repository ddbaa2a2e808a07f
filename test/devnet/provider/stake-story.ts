// Moves pools into and out of the counted ones during the votes: by stake, by jailing and by a slash.
import type { Account } from '../accounts.ts'
import { comeBack, leave } from '../scenario/leaving-pools.ts'
import { delegate } from '../scenario/prepare.ts'
import { ROLL, type Scene, toPoolAddress } from '../scenario/scene.ts'
import { nth, redelegate, undelegate } from '../scenario/side-stories.ts'
import { type ChainPool, readCountedPools } from './counted-pools.ts'
import { reportDoubleSign } from './double-sign.ts'
import { nameDelegator } from './provider-chain.ts'

const UNIT = ROLL
const STEP_SECONDS = 1.5
/** Leaves and comes back during the first moves. */
const RETURNING = 2
/** Is second of all after the first moves, and signs twice. */
const SIGNS_TWICE = 6

const findWhale = (scene: Scene, name: string): Account => {
  const found = scene.whales.find((whale) => whale.name === name)
  if (!found) throw new Error(`no large delegator ${name}`)
  return found
}

const findPoolIndex = (scene: Scene, pool: ChainPool): number =>
  scene.operators.findIndex((operator) => toPoolAddress(operator) === pool.operator)

/** Each line changes which pools are counted. The names of pools are their indexes. */
export async function moveOneByOne(scene: Scene): Promise<void> {
  const pool = (index: number) => nth(scene.operators, index)
  const owner = (index: number) => findWhale(scene, nameDelegator(index))
  const { send } = scene.chain
  const steps: (() => Promise<unknown>)[] = [
    // A tenth of a unit completes the unit that the fifth pool lacks.
    () => send(owner(3), [delegate(owner(3), pool(3), UNIT / 10n)]),
    // As many units as that pool, fewer tokens, and the lower address: it is before it again.
    () => send(owner(4), [delegate(owner(4), pool(4), UNIT)]),
    () => send(owner(5), [delegate(owner(5), pool(5), 3_000n * UNIT)]),
    () =>
      send(owner(1), [redelegate(owner(1), [pool(1), pool(SIGNS_TWICE)], 130_000n * UNIT + 7n)]),
    () => send(owner(5), [undelegate(owner(5), pool(5), 3_000n * UNIT + 1n)]),
    () => leave(scene, RETURNING),
    () => signTwice(scene, SIGNS_TWICE),
    () => comeBack(scene, RETURNING),
  ]
  for (const step of steps) {
    await step()
    await scene.at(scene.seconds() + STEP_SECONDS)
  }
}

/** Lets the first pool after the limit overtake the last counted one, by more stake there or less here, until the time. */
export async function overtakeUntil(scene: Scene, until: number): Promise<void> {
  for (let turn = 0; scene.seconds() < until; turn++) {
    const { counted, others } = await readCountedPools(scene.chain.rpc, 0)
    const [last, next] = [counted.at(-1), others[0]]
    if (!last || !next) throw new Error('there is no pool on one side of the limit')
    const amount = last.tokens - next.tokens + UNIT + BigInt(turn * 13)
    const owner = findWhale(scene, nameDelegator(findPoolIndex(scene, last)))
    const adder = nth(scene.whales, turn % scene.whales.length)
    const target = nth(scene.operators, findPoolIndex(scene, next))
    const source = nth(scene.operators, findPoolIndex(scene, last))
    const message =
      turn % 3 === 2 ? undelegate(owner, source, amount) : delegate(adder, target, amount)
    const sender = turn % 3 === 2 ? owner : adder
    await scene.chain.send(sender, [message], { mayFail: true })
  }
}

/** The pools of `moveOneByOne`, which the other stories leave alone. */
export const TAKEN: readonly number[] = [RETURNING, SIGNS_TWICE]

/** Pools that are counted at the height, without those given and the one that signs. */
async function listCounted(scene: Scene, height: number, without: readonly number[]) {
  const { counted } = await readCountedPools(scene.chain.rpc, height)
  return counted
    .map((pool) => findPoolIndex(scene, pool))
    .filter((index) => index > 0 && !without.includes(index))
}

/** Counted pools leave by themselves and come back some blocks later, until the time. Each does it once: it is then in `left`. */
export async function jailUntil(scene: Scene, until: number, left: number[]): Promise<void> {
  while (scene.seconds() < until) {
    const [index] = await listCounted(scene, 0, left)
    if (index === undefined) return
    left.push(index)
    await leave(scene, index)
    await scene.chain.untilHeight(scene.chain.tip().height + 2)
    await comeBack(scene, index)
  }
}

const signTwice = (scene: Scene, index: number): Promise<void> =>
  reportDoubleSign(scene.chain.rpc, String(index), scene.chain.tip().height - 3)

/** A counted pool is slashed for signing twice, and never returns. */
export async function slashCounted(scene: Scene, left: number[]): Promise<void> {
  // The pools that are counted after a block sign from the second block after it.
  const candidates = await listCounted(scene, scene.chain.tip().height - 5, [])
  const index = candidates.find((each) => !left.includes(each)) ?? candidates[0]
  if (index === undefined) throw new Error('no counted pool to slash')
  left.push(index)
  await signTwice(scene, index)
}
