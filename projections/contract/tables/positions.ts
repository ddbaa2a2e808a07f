// The tables of what is projected and served.
import {
  clockTime,
  label,
  nullable,
  safeInteger,
  text,
  time,
  uint32,
  uint64,
} from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const checkpoints = defineTable('checkpoints', {
  comment: 'Durable position of the projections',
  key: ['chainId'],
  version: 'nextOffset',
  columns: {
    nextOffset: uint64('First log offset that is not projected: the version'),
    refoldOffset: uint64('Where the state of open proposals must be folded from at start'),
    chainId: text('The chain'),
    height: safeInteger('Height projected'),
    time: time('Block time of that height'),
    tip: safeInteger('Latest height of the node at the last observation'),
    logEnd: uint64('End of the log when this was written'),
    lagEvents: uint64('Events known and not yet projected'),
    oldestWaitingSince: nullable(
      clockTime('Wall clock since which the oldest unprojected height waits'),
    ),
    writtenAt: clockTime(
      'Wall clock of the last heartbeat; if it is older than a few seconds, Rollcall is not running',
    ),
    limitations: text(
      'JSON array of what cannot be read or verified of the chain: kind, since, reason',
    ),
    history: text(
      'JSON of how far earlier votes are recomputed: total, done, unreachable, reason, at. Empty if there are none',
    ),
  },
})
export type CheckpointRow = RowOf<typeof checkpoints>

/**
 * `building`: being filled beside the active one. `retired`: was active; answers cursors for a while.
 * `failed`: could not be built. `dropped`: its tables are deleted; its number is never used again.
 */
export type GenerationState = 'building' | 'active' | 'retired' | 'failed' | 'dropped'

export const generations = defineTable('generations', {
  comment: 'Generations of the read model',
  key: ['generation'],
  version: 'version',
  columns: {
    generation: uint32('Number of the generation; its tables live in database rollcall_<n>'),
    state: label<GenerationState>('building, active, retired, failed, dropped'),
    changedAt: clockTime('When this state was entered'),
    reason: text('Why it failed; empty in any other state'),
    version: uint64('Later wins'),
  },
})
