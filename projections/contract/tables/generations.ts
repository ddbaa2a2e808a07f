// The table `generations` of the control database: one declaration of its names, keys and columns.
import { clockTime, label, text, uint32, uint64 } from '../table/column-types.ts'
import { defineTable } from '../table/define-table.ts'

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
