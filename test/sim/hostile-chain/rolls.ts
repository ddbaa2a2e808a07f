// A sequence of random numbers for histories that are generated in a fixed order.
import type { Dice } from '../dice.ts'

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
