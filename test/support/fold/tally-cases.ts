// The pools of a tally as a final reading has them.
import { isCounted } from '../../../ingest/contract/delegation.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { TallyPool } from '../../../ingest/tally/tally.ts'

export const toTallyPools = (pools: readonly PoolState[]): TallyPool[] =>
  pools.map((pool) => ({ pool, counted: isCounted(pool) }))
