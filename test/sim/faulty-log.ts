// An event log with random faults from a seed: refused appends, lost responses, or a death of the process.
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Dice } from './dice.ts'
import type { Life } from './lives.ts'

export type LogFault =
  | 'dies before'
  | 'dies after'
  /** `LOG_UNAVAILABLE`, and nothing was appended. */
  | 'unavailable'
  /** `LOG_UNAVAILABLE`, and all of it was appended. */
  | 'answer lost'

export type FaultyLogOptions = {
  dice: Dice
  life: Life
  /** Distinguishes the steps of this life from those of other lives of the run. */
  name: string
  /** Percentage of appends with each fault. */
  rates: Partial<Record<LogFault, number>>
}

const unavailable = (): AppError =>
  new AppError('LOG_UNAVAILABLE', 'the simulated log does not answer', { retryable: true })

/** The fault of a step: a random number selects one of the cumulative rates or none. */
const faultAt = (rates: FaultyLogOptions['rates'], rolled: number): LogFault | undefined => {
  let upTo = 0
  for (const [fault, percent] of Object.entries(rates) as [LogFault, number][]) {
    upTo += percent
    if (rolled < upTo) return fault
  }
  return undefined
}

export const createFaultyLog = (
  inner: EventLog,
  { dice, life, name, rates }: FaultyLogOptions,
): EventLog => {
  let appends = 0
  const append: EventLog['append'] = async (entries) => {
    const fault = faultAt(rates, dice.roll(100, 'log', name, 'append', ++appends))
    if (fault === 'dies before') return life.die()
    if (fault === 'unavailable') throw unavailable()
    const offset = await inner.append(entries)
    if (fault === 'dies after') return life.die()
    if (fault === 'answer lost') throw unavailable()
    return offset
  }
  return {
    append: (entries) => life.whileAlive(() => append(entries)),
    read: (from, limits) => life.whileAlive(() => inner.read(from, limits)),
    waitFor: (from, waiting) => life.whileAlive(() => inner.waitFor(from, waiting)),
    last: () => life.whileAlive(() => inner.last()),
    end: () => life.whileAlive(() => inner.end()),
    offsetOfHeight: (height) => life.whileAlive(() => inner.offsetOfHeight(height)),
    close: () => inner.close(),
  }
}
