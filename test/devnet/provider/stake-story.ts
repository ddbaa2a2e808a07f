// Moves pools into and out of the counted ones during the votes: by stake, by jailing and by a slash.
import { toPoolAddress } from '../accounts.ts'
import { ROLL } from '../genesis.ts'
import { delegate, redelegate, undelegate } from '../messages.ts'
import { comeBack, leave, nth, type Scene } from '../scene.ts'
import { type ChainPool, readCountedPools } from './counted-pools.ts'
import { reportDoubleSign } from './double-sign.ts'
import { nameDelegator } from './provider-chain.ts'

const STEP_SECONDS = 1.5
/** Leaves and comes back during the first moves. */
const RETURNING = 2
/** Is second of all after the first moves, and signs twice. */
const SIGNS_TWICE = 6
/** The pools of `moveOneByOne`, which the other stories leave alone. */
export const TAKEN: readonly number[] = [RETURNING, SIGNS_TWICE]

const findPoolIndex = ({ operators }: Scene, pool: ChainPool): number =>
  operators.findIndex((operator) => toPoolAddress(operator) === pool.operator)

const signTwice = ({ chain }: Scene, index: number): Promise<void> =>
  reportDoubleSign(chain.rpc, String(index), chain.tip().height - 3)

/** Each line changes which pools are counted. The names of pools are their indexes. */
export async function moveOneByOne(scene: Scene): Promise<void> {
  const { send, operator: pool } = scene
  const owner = (index: number) => scene.whale(nameDelegator(index))
  const steps: (() => Promise<unknown>)[] = [
    // A tenth of a unit completes the unit that the fifth pool lacks.
    () => send(owner(3), [delegate(owner(3), pool(3), ROLL / 10n)]),
    // As many units as that pool, fewer tokens, and the lower address: it is before it again.
    () => send(owner(4), [delegate(owner(4), pool(4), ROLL)]),
    () => send(owner(5), [delegate(owner(5), pool(5), 3_000n * ROLL)]),
    () =>
      send(owner(1), [redelegate(owner(1), [pool(1), pool(SIGNS_TWICE)], 130_000n * ROLL + 7n)]),
    () => send(owner(5), [undelegate(owner(5), pool(5), 3_000n * ROLL + 1n)]),
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
    const { counted, others } = await readCountedPools(scene, 0)
    const [last, next] = [counted.at(-1), others[0]]
    if (!last || !next) throw new Error('there is no pool on one side of the limit')
    const amount = last.tokens - next.tokens + ROLL + BigInt(turn * 13)
    const [source, target] = [findPoolIndex(scene, last), findPoolIndex(scene, next)]
    const owner = scene.whale(nameDelegator(source))
    const adder = nth(scene.whales, turn % scene.whales.length)
    const [sender, message] =
      turn % 3 === 2
        ? [owner, undelegate(owner, scene.operator(source), amount)]
        : [adder, delegate(adder, scene.operator(target), amount)]
    await scene.send(sender, [message], { mayFail: true })
  }
}

/** Pools that are counted at the height, without those given and the one that signs. */
async function listCounted(scene: Scene, height: number, without: readonly number[]) {
  const { counted } = await readCountedPools(scene, height)
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

/** A counted pool is slashed for signing twice, and never returns. */
export async function slashCounted(scene: Scene, left: number[]): Promise<void> {
  // The pools that are counted after a block sign from the second block after it.
  const candidates = await listCounted(scene, scene.chain.tip().height - 5, [])
  const index = candidates.find((each) => !left.includes(each)) ?? candidates[0]
  if (index === undefined) throw new Error('no counted pool to slash')
  left.push(index)
  await signTwice(scene, index)
}
