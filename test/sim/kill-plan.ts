// When a child process is killed in each of its lives: decided by the seed, known to the child and to its parent.
// A write is an append to the log, or an insert into the store.
import type { Dice } from './dice.ts'

export const KILLS = [
  'before a write',
  /** Some of its records or rows are on their way, others are not. */
  'inside a write',
  /** By the parent, a moment after the write began: its commit, or the answer to it, is under way. */
  'during a write',
  /** Durable, and nobody was told. */
  'after a write',
  /** By the clock: while it starts, reads its tail, follows the chain or has nothing to do. */
  'at any time',
] as const
export type Kill = (typeof KILLS)[number]

export type PlannedKill = {
  kill: Kill
  /** The write of this life that it happens at, from 1 on. */
  write: number
  /** Where in the write: the how-manieth record or row of a hundred. */
  percent: number
  /** After the write began, or after the life did. */
  delayMicros: number
}

/** Lives of one seed that end by force, at most. */
export const MOST_KILLS = 3
const WRITE_MICROS = 4_000
const LIFE_MICROS = 150_000

/** One for each life that ends by force; the one after the last lives until it is done. */
export const planKills = (dice: Dice, mostWrites: number): PlannedKill[] =>
  Array.from({ length: 1 + dice.roll(MOST_KILLS, 'kills') }, (_, life) => {
    const kill = dice.pick(KILLS, 'kill', life)
    const mostMicros = kill === 'at any time' ? LIFE_MICROS : WRITE_MICROS
    return {
      kill,
      write: 1 + dice.roll(mostWrites, 'kill', life, 'write'),
      percent: dice.roll(100, 'kill', life, 'percent'),
      delayMicros: dice.roll(mostMicros, 'kill', life, 'delay'),
    }
  })

/** Of a child that ingests, and of one that projects. */
export const MOST_APPENDS = 3
export const MOST_INSERTS = 40
