// Indexes a chain whose votes end otherwise than those of x/gov, and folds its log into tables.

import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { foldHeights } from '../fold/fold-heights.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { recordingLogger } from '../process/log-lines.ts'
import { timeAt } from '../simulator/blocks.ts'
import type { MemoryTables } from '../store/memory-store.ts'
import { createForkedChain, type Variant } from './forked-chain.ts'
import { ingestToTip, ofType } from './ingest-run.ts'
import { groupByHeight } from './live-tallies.ts'
import type { MemoryChain } from './memory-chain.ts'

/** Height, finding and cause of each. */
export const foundIn = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.proposal.reconciled.v1').map(({ height, data }) => [
    height,
    data.finding,
    data.cause,
  ])

export const index = async (chain: MemoryChain, { isAtTip = false } = {}) => {
  const { logger, lines } = recordingLogger()
  const events = await ingestToTip(chain, openMemoryLog(), { logger, isAtTip })
  return {
    chain,
    events,
    found: foundIn(events),
    lines,
    tables: foldHeights(groupByHeight(events)),
  }
}

export const run = (variant: Variant, heights?: number) =>
  index(createForkedChain(variant, heights))

export const proposal = (tables: MemoryTables) => tables.final('proposals')[0]!
export const tally = (tables: MemoryTables) => tables.final('tallies').at(-1)!

/** As the tables have it. */
export const timestamp = (height: number): string =>
  timeAt(height)
    .replace('T', ' ')
    .replace(/\.000Z$/, '.000000000')

/** The list of x/gov is read every five minutes: 50 blocks. */
export const FIRST_READING = 50
export const SECOND_READING = 100
