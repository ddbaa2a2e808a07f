// What an entry of the demo's story says: one proposal, when and how it is decided, and how it ends.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Account } from '../accounts.ts'
import type { Ending } from '../scenario.ts'
import type { Chain } from '../transactions.ts'
import type { Mix, Turnout } from './ballots.ts'
import { DAY_MS } from './chain-spec.ts'

export type Stage = {
  chain: Chain
  /** The account that signs the messages of every proposal. */
  governance: string
  person(name: string): Account
  /** What the story made on the chain, by name: contracts, codes and light clients. */
  made: Map<string, string>
}

export const findMade = ({ made }: Stage, name: string): string => {
  const found = made.get(name)
  if (found === undefined) throw new Error(`the story has not made ${name} yet`)
  return found
}

export type Entry = {
  key: string
  /** Of the year, from 0. */
  day: number
  proposer: string
  title: string
  summary: string
  messages?: (stage: Stage) => EncodeObject[] | Promise<EncodeObject[]>
  expedited?: boolean
  /** By default all that its vote needs. */
  deposit?: bigint
  topUp?: { afterDays: number; from: string; amount: bigint }
  mix?: Mix
  /** After an expedited vote that failed. */
  secondMix?: Mix
  turnout?: Turnout
  /** After the submission. */
  canceledAfterDays?: number
  ending: Ending
}

export const YEAR_DAYS = 365
/** The minutes at the end that users watch. */
const LIVE_MINUTES = 21
export const LIVE_MS = LIVE_MINUTES * 60_000

export const YEAR_MS = YEAR_DAYS * DAY_MS

const LIVE_DAY = YEAR_DAYS - LIVE_MS / DAY_MS

/** The day of a submission whose vote of `days` ends so many minutes after the live part begins. */
export const endingLive = (minutes: number, days: number): number =>
  LIVE_DAY + (minutes * 60_000) / DAY_MS - days

export const beforeLive = (days: number): number => LIVE_DAY - days

export const MOST: Turnout = { pools: 0.8, delegators: 170 }
export const MANY: Turnout = { pools: 0.92, delegators: 260 }
export const FEW: Turnout = { pools: 0.45, withLargest: false, delegators: 60 }

export const CLEAR: Mix = [0.84, 0.07, 0.09, 0]
export const NARROW: Mix = [0.53, 0.36, 0.1, 0.01]
export const DIVIDED: Mix = [0.58, 0.34, 0.07, 0.01]
export const REFUSED: Mix = [0.3, 0.55, 0.1, 0.05]
export const VETOED: Mix = [0.06, 0.24, 0.04, 0.66]
