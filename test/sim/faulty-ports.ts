// An event log and a store with random faults from a seed: rejected calls, lost responses, a full disk, or a death of the process.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Dice } from './dice.ts'
import type { Life } from './lives.ts'

export type PortFault =
  /** Not available, and nothing was written. */
  | 'unavailable'
  /** Not available, and all of it was written. */
  | 'answer lost'
  /** Only of a log. */
  | 'full'
  | 'dies before'
  | 'dies after'

/** Percentage of calls with each fault. */
export type FaultRates = Partial<Record<PortFault, number>>

export type FaultyPort = {
  dice: Dice
  life: Life
  /** Distinguishes the steps of this life from those of other lives of the run. */
  name: string
  /** Of calls that write. */
  writes: FaultRates
  /** Of calls of a log that change nothing. */
  reads?: Pick<FaultRates, 'unavailable' | 'dies before'>
  onFault?: (fault: PortFault) => void
}

/** The fault of a step: a random number selects one of the cumulative rates or none. */
const faultAt = (rates: FaultRates, rolled: number): PortFault | undefined => {
  let upTo = 0
  for (const [fault, percent] of Object.entries(rates) as [PortFault, number][]) {
    upTo += percent
    if (rolled < upTo) return fault
  }
  return undefined
}

const createStrikes = (port: 'log' | 'store', { dice, life, name, onFault }: FaultyPort) => {
  const counts = new Map<string, number>()
  const unavailable = (): AppError => {
    const code = port === 'log' ? 'LOG_UNAVAILABLE' : 'STORE_UNAVAILABLE'
    return new AppError(code, `the simulated ${port} does not answer`, { retryable: true })
  }
  const strike = async <Answer>(
    fault: PortFault | undefined,
    operation: () => Promise<Answer>,
  ): Promise<Answer> => {
    if (fault === 'unavailable') throw unavailable()
    if (fault === 'full') throw new AppError('LOG_FULL', 'the simulated disk is full')
    if (fault === 'dies before') return life.die()
    const answer = await operation()
    if (fault === 'answer lost') throw unavailable()
    return fault === 'dies after' ? life.die() : answer
  }
  return <Answer>(
    call: string,
    rates: FaultRates,
    operation: () => Promise<Answer>,
  ): Promise<Answer> =>
    life.whileAlive(() => {
      const count = (counts.get(call) ?? 0) + 1
      counts.set(call, count)
      const fault = faultAt(rates, dice.roll(100, port, name, call, count))
      if (fault) onFault?.(fault)
      return strike(fault, operation)
    })
}

export const createFaultyLog = (inner: EventLog, options: FaultyPort): EventLog => {
  const { life, writes, reads = {} } = options
  const call = createStrikes('log', options)
  return {
    append: (entries) => call('append', writes, () => inner.append(entries)),
    read: (from, limits) => call('read', reads, () => inner.read(from, limits)),
    waitFor: (from, waiting) => life.whileAlive(() => inner.waitFor(from, waiting)),
    last: () => call('last', reads, () => inner.last()),
    end: () => call('end', reads, () => inner.end()),
    offsetOfHeight: (height) => call('seek', reads, () => inner.offsetOfHeight(height)),
    close: () => inner.close(),
  }
}

export const createFaultyStore = (inner: Store, options: FaultyPort): Store => {
  const { life, writes } = options
  const call = createStrikes('store', options)
  return {
    ...inner,
    // Tables are written in parallel: each has its own counter, so that their order has no effect.
    insert: (table, rows, more) =>
      call(table.split('.').at(-1) ?? table, writes, () => inner.insert(table, rows, more)),
    select: <Row>(...parameters: Parameters<Store['select']>) =>
      life.whileAlive(() => inner.select<Row>(...parameters)),
    command: (...parameters) => life.whileAlive(() => inner.command(...parameters)),
  }
}
