// Runs ingest with endpoints over HTTP until the log has the tip, or until it ends as the supervisor would see it.
import { AppError } from '../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { startIngest } from '../../ingest/main.ts'
import { hurried, ingestConfig, withoutLiveReadings } from '../support/chain/ingest-run.ts'
import { type MemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { SMALL_BATCHES } from './ingest-life.ts'

/** Longer than two calls that use up their deadline. */
const LONGEST_LIFE_MS = 90_000

/** A node reported false data until the process failed: the supervisor starts the next one. */
const ENDS: readonly unknown[] = ['CHAIN_FORKED', 'HEIGHT_UNAVAILABLE', 'RPC_UNAVAILABLE']

const stuck = (progress: unknown): Error =>
  new Error(`ingest does not reach the tip: ${JSON.stringify(progress)}`)

type Endpoints = {
  urls: readonly string[]
  timeoutSeconds?: number
  /** After this time it is stuck. */
  longestMs?: number
}

/** Resolves to false if the process ended by a fault of the endpoints. */
export const ingestOnce = async (
  { urls, timeoutSeconds = 5, longestMs = LONGEST_LIFE_MS }: Endpoints,
  storage: MemoryLogStorage,
  tip: number,
) => {
  const ingest = await startIngest({
    config: ingestConfig(
      { CHAIN_RPC_URLS: urls.join(',') },
      { ...SMALL_BATCHES, rpcTimeoutSeconds: timeoutSeconds },
    ),
    log: openMemoryLog(storage),
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
    clock: hurried,
  })
  let end: unknown
  ingest.done.catch((error: unknown) => {
    end = error
  })
  const startedMs = performance.now()
  while (end === undefined && ingest.progress().height < tip) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (performance.now() - startedMs > longestMs) end = stuck(ingest.progress())
  }
  await ingest.close()
  if (end === undefined) return true
  if (end instanceof AppError && ENDS.includes(end.code)) return false
  throw end
}

export const PROOF = /\.(?:light-block\.observed|validators\.observed|proposal\.proof)\.v1$/

/** Proofs depend on responses in time. */
export const withoutProofs = (events: readonly GovernanceEvent[]) =>
  withoutLiveReadings(events).filter(({ type }) => !PROOF.test(type))
