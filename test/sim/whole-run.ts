// Seeded runs of chain → ingest → log → projections → tables, with deaths and outages at any step.
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { type MemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import type { Dice } from './dice.ts'
import {
  createFaultyLog,
  createFaultyStore,
  type FaultRates,
  type PortFault,
} from './faulty-ports.ts'
import { createLife, type End, liveIngest, liveProjections } from './lives.ts'

/** After this many lives there are no more faults, so that every run ends. */
const HARD_LIVES = 8
const READS = { unavailable: 4, 'dies before': 2 }
const APPENDS: FaultRates = {
  'dies before': 6,
  'dies after': 8,
  unavailable: 10,
  'answer lost': 10,
  full: 4,
}
export const INSERTS = { unavailable: 1, 'answer lost': 1, 'dies before': 1, 'dies after': 1 }
/** Lets the other process run, even if this one ends fast. */
const RESTART_MS = 5

export type WholeRun = { dice: Dice; storage: MemoryLogStorage; store: Store }

/** The supervisor starts the next life. Throws an error that no fault explains. */
const expectPlanned = (end: End): void => {
  if (typeof end !== 'string' && !hasCode(end, 'LOG_UNAVAILABLE')) throw end
}

const ratesOf = <Rates extends object>(
  number: number,
  hard: Rates,
): Rates | Record<never, never> => (number <= HARD_LIVES ? hard : {})

/** One ingest after the other, until one has the chain's tip. */
const ingestThrough = async ({ dice, storage }: WholeRun, chain: MemoryChain): Promise<void> => {
  let end: End | undefined
  for (let number = 1; end !== 'finished'; number++) {
    const life = createLife()
    const log = createFaultyLog(openMemoryLog(storage), {
      dice,
      life,
      name: `ingest ${number}`,
      writes: ratesOf(number, APPENDS),
      reads: ratesOf(number, READS),
    })
    end = await liveIngest(chain, { log, life })
    expectPlanned(end)
  }
}

/** One projections process after the other, until one has all there is once `isComplete`. */
export const projectThrough = async (
  { dice, storage, store }: WholeRun,
  isComplete: () => boolean = () => true,
  onFault: (fault: PortFault) => void = () => {},
): Promise<void> => {
  for (let number = 1; ; number++) {
    const wasComplete = isComplete()
    const life = createLife()
    const named = { dice, life, name: `projections ${number}` }
    const inner = openMemoryLog(storage)
    const end = await liveProjections({
      life,
      end: await inner.end(),
      log: createFaultyLog(inner, { ...named, writes: {}, reads: ratesOf(number, READS) }),
      store: createFaultyStore(store, { ...named, writes: ratesOf(number, INSERTS), onFault }),
    })
    expectPlanned(end)
    if (end === 'finished' && wasComplete) return
    await pause(RESTART_MS)
  }
}

/** Both at once. */
export const runWhole = async (
  run: WholeRun,
  chain: MemoryChain,
  onFault: (fault: PortFault) => void,
): Promise<void> => {
  let isComplete = false
  const ingesting = ingestThrough(run, chain).finally(() => {
    isComplete = true
  })
  await Promise.all([ingesting, projectThrough(run, () => isComplete, onFault)])
}
