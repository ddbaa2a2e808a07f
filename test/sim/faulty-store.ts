// A store with random faults from a seed: an outage before or after the write, or a death of the process.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Dice } from './dice.ts'
import type { Life } from './life.ts'

export const STORE_FAULTS = ['away', 'answer lost', 'dies before', 'dies after'] as const
export type StoreFault = (typeof STORE_FAULTS)[number]

export type FaultyStoreOptions = {
  dice: Dice
  life: Life
  /** Distinguishes the steps of this life from those of other lives of the run. */
  name: string
  /** Percentage of inserts with each fault. */
  percentEach: number
  onFault?: (fault: StoreFault) => void
}

const away = (): AppError =>
  new AppError('STORE_UNAVAILABLE', 'the simulated store does not answer', { retryable: true })

export const createFaultyStore = (inner: Store, options: FaultyStoreOptions): Store => {
  const { dice, life, name, percentEach, onFault } = options
  const counts = new Map<string, number>()
  const chooseFault = (call: string): StoreFault | undefined => {
    const count = (counts.get(call) ?? 0) + 1
    counts.set(call, count)
    const rolled = dice.roll(100, 'store', name, call, count)
    const fault = percentEach > 0 ? STORE_FAULTS[Math.floor(rolled / percentEach)] : undefined
    if (fault) onFault?.(fault)
    return fault
  }
  const strike = async (fault: StoreFault | undefined, insert: () => Promise<void>) => {
    if (fault === 'away') throw away()
    if (fault === 'dies before') return life.die()
    await insert()
    if (fault === 'answer lost') throw away()
    if (fault === 'dies after') return life.die()
  }
  return {
    ...inner,
    insert: (table, rows, more) => {
      // Tables are written in parallel: each has its own counter, so that their order has no effect.
      const short = table.split('.').at(-1) ?? table
      return life.whileAlive(() =>
        strike(chooseFault(short), () => inner.insert(table, rows, more)),
      )
    },
    select: <Row>(...call: Parameters<Store['select']>) =>
      life.whileAlive(() => inner.select<Row>(...call)),
    command: (...call) => life.whileAlive(() => inner.command(...call)),
  }
}
