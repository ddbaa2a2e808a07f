// Plans when a child process is killed in each of its lives. The seed defines the plan for child and parent.
// A write is an append to the log or an insert into the store.
import { join } from 'node:path'
import type { Dice } from './dice.ts'

export const KILLS = [
  'before a write',
  /** Some of its records or rows are sent, others are not. */
  'inside a write',
  /** By the parent, shortly after the write began: during its commit or its response. */
  'during a write',
  /** The write is durable, but unconfirmed. */
  'after a write',
  /** After a time: during start, reading of the tail, following the chain or idle time. */
  'at any time',
] as const
export type Kill = (typeof KILLS)[number]

export type PlannedKill = {
  kill: Kill
  /** The number of the write in this life, from 1. */
  write: number
  /** The position in the write, in percent of its records or rows. */
  percent: number
  /** Time after the start of the write or of the life. */
  delayMicros: number
}

/** Maximum number of killed lives per seed. */
export const MOST_KILLS = 3
const WRITE_MICROS = 4_000
const LIFE_MICROS = 150_000

/** One for each killed life; the life after the last one runs to its end. */
export const chooseKills = (dice: Dice): Kill[] =>
  Array.from({ length: 1 + dice.roll(MOST_KILLS, 'kills') }, (_, life) =>
    dice.pick(KILLS, 'kill', life),
  )

export const planKills = (dice: Dice, mostWrites: number): PlannedKill[] =>
  chooseKills(dice).map((kill, life) => {
    const mostMicros = kill === 'at any time' ? LIFE_MICROS : WRITE_MICROS
    return {
      kill,
      write: 1 + dice.roll(mostWrites, 'kill', life, 'write'),
      percent: dice.roll(100, 'kill', life, 'percent'),
      delayMicros: dice.roll(mostMicros, 'kill', life, 'delay'),
    }
  })

/** The log of one seed below a directory. */
export const toLogPath = (directory: string, seed: number): string =>
  join(directory, String(seed), 'log')

/** Plans for ingest and for projections. */
export const MOST_APPENDS = 3
export const MOST_INSERTS = 40
