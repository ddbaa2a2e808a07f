// Folds whole heights without keeping the process: tallies of many ballots are computed in slices.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GovernanceEvent } from '../ingest/contract/events.ts'
import type { GovernanceFold } from './fold/governance-fold.ts'
import { prepareTallies } from './fold/recomputed-tallies.ts'
import type { FoldRecord } from './fold/record.ts'

function* eventsOf(records: readonly FoldRecord[]): Generator<GovernanceEvent> {
  for (const { decoded } of records) if (decoded.ok) yield decoded.event
}

export const foldHeights = async (
  fold: GovernanceFold,
  records: readonly FoldRecord[],
): Promise<void> => {
  // Heartbeats and ingest, which may share this process, have their turn between slices.
  fold.apply(records, await prepareTallies(eventsOf(records), () => nextTurn()))
}
