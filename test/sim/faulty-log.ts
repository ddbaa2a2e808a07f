// An event log with random faults from a seed: rejected calls, lost responses, a full disk, or a death of the process.
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Dice } from './dice.ts'
import type { Life } from './life.ts'

export type LogFault =
  /** `LOG_UNAVAILABLE`, and nothing was appended. */
  | 'unavailable'
  /** `LOG_UNAVAILABLE`, and all of it was appended. */
  | 'answer lost'
  | 'full'
  | 'dies before'
  | 'dies after'

/** Percentage of calls with each fault. */
export type LogFaultRates = Partial<Record<LogFault, number>>

export type FaultyLogOptions = {
  dice: Dice
  life: Life
  /** Distinguishes the steps of this life from those of other lives of the run. */
  name: string
  appends: LogFaultRates
  /** Faults of calls that change nothing. */
  reads: Pick<LogFaultRates, 'unavailable' | 'dies before'>
  onFault?: (fault: LogFault) => void
}

const unavailable = (): AppError =>
  new AppError('LOG_UNAVAILABLE', 'the simulated log does not answer', { retryable: true })

/** The fault of a step: a random number selects one of the cumulative rates or none. */
const faultAt = (rates: LogFaultRates, rolled: number): LogFault | undefined => {
  let upTo = 0
  for (const [fault, percent] of Object.entries(rates) as [LogFault, number][]) {
    upTo += percent
    if (rolled < upTo) return fault
  }
  return undefined
}

export const createFaultyLog = (inner: EventLog, options: FaultyLogOptions): EventLog => {
  const { dice, life, name, onFault } = options
  const counts = new Map<string, number>()
  const chooseFault = (call: string, rates: LogFaultRates): LogFault | undefined => {
    const count = (counts.get(call) ?? 0) + 1
    counts.set(call, count)
    const fault = faultAt(rates, dice.roll(100, 'log', name, call, count))
    if (fault) onFault?.(fault)
    return fault
  }
  const strike = async <Answer>(
    fault: LogFault | undefined,
    operation: () => Promise<Answer>,
  ): Promise<Answer> => {
    switch (fault) {
      case 'unavailable':
        throw unavailable()
      case 'answer lost':
        await operation()
        throw unavailable()
      case 'full':
        throw new AppError('LOG_FULL', 'the simulated disk is full')
      case 'dies before':
        return life.die()
      case 'dies after':
        await operation()
        return life.die()
      case undefined:
        return operation()
    }
  }
  const call = <Answer>(
    what: string,
    rates: LogFaultRates,
    operation: () => Promise<Answer>,
  ): Promise<Answer> => life.whileAlive(() => strike(chooseFault(what, rates), operation))
  const { reads } = options
  return {
    append: (entries) => call('append', options.appends, () => inner.append(entries)),
    read: (from, limits) => call('read', reads, () => inner.read(from, limits)),
    waitFor: (from, waiting) => life.whileAlive(() => inner.waitFor(from, waiting)),
    last: () => call('last', reads, () => inner.last()),
    end: () => call('end', reads, () => inner.end()),
    offsetOfHeight: (height) => call('seek', reads, () => inner.offsetOfHeight(height)),
    close: () => inner.close(),
  }
}
