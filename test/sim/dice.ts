// Makes every decision of a simulated run from a hash of the seed and the step.
// Without clock, Math.random and state, the same step of the same seed has the same result in every process.
import { createHash } from 'node:crypto'

/** The identity of a decision: its subject and its number. */
export type Step = readonly (string | number)[]

export type Dice = {
  readonly seed: number
  /** A whole number from 0 to `sides` - 1. */
  roll(sides: number, ...step: Step): number
  /** True in the given percentage of steps. */
  happens(percent: number, ...step: Step): boolean
  pick<Item>(items: readonly Item[], ...step: Step): Item
}

const UINT32 = 2 ** 32

const computeHash = (seed: number, step: Step): number =>
  createHash('sha256')
    .update(`${seed}/${step.join('/')}`)
    .digest()
    .readUInt32BE()

/** A sequence of random numbers for histories that are generated in a fixed order. */
export type Rolls = {
  /** From 0 to `sides` - 1. */
  below(sides: number): number
  happens(percent: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export const createRolls = (dice: Dice, purpose: string): Rolls => {
  let count = 0
  const below = (sides: number): number => dice.roll(sides, purpose, ++count)
  return {
    below,
    happens: (percent) => below(100) < percent,
    pick: (items) => items[below(items.length)]!,
  }
}

export const createDice = (seed: number): Dice => {
  const roll: Dice['roll'] = (sides, ...step) =>
    Math.floor((computeHash(seed, step) / UINT32) * sides)
  return {
    seed,
    roll,
    happens: (percent, ...step) => roll(100, ...step) < percent,
    pick: (items, ...step) => items[roll(items.length, ...step)]!,
  }
}
