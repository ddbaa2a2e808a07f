// One seeded run of chain → ingest → log → projections → tables, with deaths and outages at any step.
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import type { Dice } from './dice.ts'
import { createFaultyLog, type LogFault, type LogFaultRates } from './faulty-log.ts'
import { createFaultyStore, type StoreFault } from './faulty-store.ts'
import { liveIngest } from './ingest-life.ts'
import { createLife } from './life.ts'
import { liveProjections } from './projection-life.ts'

/** After this many lives there are no more faults, so that every run ends. */
const HARD_LIVES = 8
const READS = { unavailable: 4, 'dies before': 2 }
const APPENDS: LogFaultRates = {
  'dies before': 6,
  'dies after': 8,
  unavailable: 10,
  'answer lost': 10,
  full: 4,
}
const INSERTS_PERCENT_EACH = 1
/** Lets the other process run, even if this one ends fast. */
const RESTART_MS = 5

export type Struck = { log: LogFault[]; store: StoreFault[]; ends: string[] }

export type WholeRun = {
  dice: Dice
  chain: MemoryChain
  /** A new handle on the log of the run, like in a new process. */
  openLog: () => Promise<EventLog>
  /** The same for a process that only reads. */
  openReader: () => Promise<EventLog>
}

/** What a life may end with besides death: the supervisor starts the next one then. */
const toEndName = (end: string | Error): string => {
  if (typeof end === 'string') return end
  if (hasCode(end, 'LOG_UNAVAILABLE')) return end.code
  throw end
}

const rates = <Rates extends object>(number: number, hard: Rates): Rates | Record<never, never> =>
  number <= HARD_LIVES ? hard : {}

/** One ingest after the other, until one has the chain's tip. */
export const ingestThrough = async (
  { dice, chain, openLog }: Omit<WholeRun, 'openReader'>,
  struck: Struck,
): Promise<void> => {
  for (let number = 1; ; number++) {
    const inner = await openLog()
    const life = createLife()
    const log = createFaultyLog(inner, {
      dice,
      life,
      name: `ingest ${number}`,
      appends: rates(number, APPENDS),
      reads: rates(number, READS),
      onFault: (fault) => struck.log.push(fault),
    })
    const end = toEndName(await liveIngest(chain, log, life))
    await inner.close()
    struck.ends.push(end)
    if (end === 'reached the tip') return
  }
}

type Target = { store: Store; control?: string }

const projectOnce = async (
  { dice, openReader }: Pick<WholeRun, 'dice' | 'openReader'>,
  struck: Struck,
  { store, control, number }: Target & { number: number },
): Promise<string> => {
  const life = createLife()
  const named = { dice, life, name: `projections ${number}` }
  const isHard = number <= HARD_LIVES
  const inner = await openReader().catch((error: Error) => error)
  // Before there is a log.
  if (inner instanceof Error) return toEndName(inner)
  const end = await liveProjections({
    life,
    ...(control ? { control } : {}),
    end: await inner.end(),
    log: createFaultyLog(inner, { ...named, appends: {}, reads: rates(number, READS) }),
    store: createFaultyStore(store, {
      ...named,
      percentEach: isHard ? INSERTS_PERCENT_EACH : 0,
      onFault: (fault) => struck.store.push(fault),
    }),
  })
  await inner.close()
  return toEndName(end)
}

/** One projections process after the other, until one has all there is once `isComplete`. */
export const projectThrough = async (
  run: Pick<WholeRun, 'dice' | 'openReader'>,
  struck: Struck,
  { isComplete, ...target }: Target & { isComplete: () => boolean },
): Promise<void> => {
  for (let number = 1; ; number++) {
    const wasComplete = isComplete()
    const end = await projectOnce(run, struck, { ...target, number })
    struck.ends.push(end)
    if (end === 'caught up' && wasComplete) return
    await pause(RESTART_MS)
  }
}

/** Both at once. Gives what struck, so that a test can see that all of it did. */
export const runWhole = async (run: WholeRun, target: Target): Promise<Struck> => {
  const struck: Struck = { log: [], store: [], ends: [] }
  let isComplete = false
  const ingesting = ingestThrough(run, struck).finally(() => {
    isComplete = true
  })
  const projecting = projectThrough(run, struck, { ...target, isComplete: () => isComplete })
  await Promise.all([ingesting, projecting])
  return struck
}
