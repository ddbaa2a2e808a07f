// Counts faults in the tables that are served, so that a successful retry ends the alert.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Metrics } from '../../infra/base/runtime/metrics.ts'
import { toDatabaseName } from '../contract/database.ts'
import { findActive, type Generation } from '../contract/generations.ts'
import { TABLES } from '../contract/tables.ts'

export type FaultGaugesOptions = { store: Store; metrics: Metrics; control: string; clock: Clock }

const CHECK_MS = 10_000
const QUERY_MS = 5_000

type Counts = { dead_letters: string; differing_tallies: string }

/** Call repeatedly with the current generations; queries the store every ten seconds, or after a switch. */
export const createFaultGauges = ({ store, metrics, control, clock }: FaultGaugesOptions) => {
  const deadLetters = metrics.gauge({
    name: 'dead_letters',
    help: 'Dead letters in the served tables',
  })
  const differingTallies = metrics.gauge({
    name: 'differing_tallies',
    help: 'Rounds in the served tables with a recomputed tally that differs from the chain',
  })
  let lastCheck = { generation: 0, atMs: Number.NEGATIVE_INFINITY }
  return async (generations: readonly Generation[]): Promise<void> => {
    const generation = findActive(generations)?.generation
    const nowMs = clock.now()
    if (generation === undefined) return
    if (lastCheck.generation === generation && nowMs - lastCheck.atMs < CHECK_MS) return
    const database = toDatabaseName(generation, control)
    const [row] = await store.select<Counts>(
      `SELECT (SELECT count() FROM ${database}.${TABLES.deadLetters.name} FINAL) AS dead_letters,
         (SELECT count() FROM ${database}.${TABLES.tallies.name} FINAL WHERE matches_chain = 'no') AS differing_tallies`,
      {},
      { timeoutMs: QUERY_MS },
    )
    deadLetters.set(Number(row?.dead_letters ?? 0))
    differingTallies.set(Number(row?.differing_tallies ?? 0))
    lastCheck = { generation, atMs: nowMs }
  }
}
