// Simulated processes of ingest that die and start again. After its death, the calls of a process never return and have no effect.
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { RunningIngest } from '../../ingest/main.ts'
import {
  type StartIngest,
  startOn,
  startOver,
  withoutLiveReadings,
} from '../support/chain/ingest-run.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { type MemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'

export type Life = {
  /** Resolves when it dies. */
  died: Promise<'died'>
  /** Never resolves. */
  die(): Promise<never>
  /** Runs an operation only in a live process; after a death the result is never delivered. */
  whileAlive<Answer>(operation: () => Promise<Answer>): Promise<Answer>
}

const NEVER = new Promise<never>(() => {})

export const createLife = (): Life => {
  let isDead = false
  let resolveDied = (_: 'died'): void => {}
  const died = new Promise<'died'>((resolve) => {
    resolveDied = resolve
  })
  const orSilence = <Answer>(settled: () => Answer): Answer | Promise<never> =>
    isDead ? NEVER : settled()
  return {
    died,
    die: () => {
      isDead = true
      resolveDied('died')
      return NEVER
    },
    whileAlive: <Answer>(operation: () => Promise<Answer>): Promise<Answer> => {
      if (isDead) return NEVER
      return operation().then(
        (answer) => orSilence(() => answer),
        (error: unknown) =>
          orSilence(() => {
            throw error
          }),
      )
    },
  }
}

/** Unexpected errors are thrown. */
export type End = 'died' | 'finished' | AppError

/** Finished when ingest has the height. */
const live = async (
  height: number,
  died: Promise<'died'>,
  start: () => Promise<RunningIngest>,
): Promise<End> => {
  let isDead = false
  void died.then(() => {
    isDead = true
  })
  const living = async (): Promise<End> => {
    const ingest = await start()
    let fault: unknown
    const failed = ingest.done.catch((error: unknown) => {
      fault = error
    })
    while (fault === undefined && ingest.progress().height < height && !isDead) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    // A dead process closes nothing: its pending calls never finish.
    if (isDead) void ingest.close()
    else await Promise.all([ingest.close(), failed])
    if (fault !== undefined) throw fault
    return isDead ? 'died' : 'finished'
  }
  try {
    return await Promise.race([living(), died])
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Small appends, so that a small chain has many points of death. */
const SMALL_BATCHES = { maxBatchHeights: 2 }

export type IngestLife = {
  log: EventLog
  life?: Life
  logger?: Logger
  /** With the endpoints of the chain; in memory by default. */
  start?: StartIngest
  env?: Record<string, string>
}

/** Finished when ingest has the tip. */
export const liveIngest = (
  chain: MemoryChain,
  { log, life = createLife(), start, ...options }: IngestLife,
): Promise<End> =>
  live(chain.tip, life.died, () => {
    const small = { config: SMALL_BATCHES, ...options }
    return start ? start(log, small) : startOn(chain, log, small)
  })

/** A node reported false data until the process failed: the supervisor starts the next one. */
const FALSE_DATA: readonly unknown[] = ['CHAIN_FORKED', 'HEIGHT_UNAVAILABLE', 'RPC_UNAVAILABLE']

/** Until the log has the height, with as many processes as it takes. */
export const ingestUntil = async (
  height: number,
  {
    urls,
    storage,
    timeoutSeconds = 5,
  }: { urls: readonly string[]; storage: MemoryLogStorage; timeoutSeconds?: number },
): Promise<void> => {
  const config = { ...SMALL_BATCHES, rpcTimeoutSeconds: timeoutSeconds }
  for (let end: End | undefined; end !== 'finished'; ) {
    const start = () => startOver(urls)(openMemoryLog(storage), { config })
    end = await live(height, createLife().died, start)
    if (end instanceof AppError && !FALSE_DATA.includes(end.code)) throw end
  }
}

export const PROOF = /\.(?:light-block\.observed|validators\.observed|proposal\.proof)\.v1$/

/** Proofs depend on responses in time. */
export const withoutProofs = (events: readonly GovernanceEvent[]): GovernanceEvent[] =>
  withoutLiveReadings(events).filter(({ type }) => !PROOF.test(type))
