// Ingests votes on a chain in memory from start to end: the readings of their tallies, the rows of their log, and log lines.

import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { TallyCounts } from '../../../ingest/contract/facts.ts'
import { createGovernance, createRestore } from '../../../ingest/heights/governance.ts'
import type { RoundState } from '../../../ingest/rounds/round-state.ts'
import { tally as computeTally } from '../../../ingest/tally/tally.ts'
import { foldHeights } from '../fold/fold-heights.ts'
import { toTallyPools } from '../fold/tally-cases.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { recordingLogger } from '../process/log-lines.ts'
import type { MemoryTables } from '../store/memory-store.ts'
import { ingestToTip, ofType } from './ingest-run.ts'
import { groupByHeight } from './live-tallies.ts'
import type { MemoryChain } from './memory-chain.ts'
import { play, type Step } from './votes.ts'

export const NONE: TallyCounts = { yes: '0', abstain: '0', no: '0', noWithVeto: '0' }

type RoundRead = EventOf<'rollcall.round.read.v1'>

/** Of the tallies that ended rounds. */
export const finalReadings = (events: readonly GovernanceEvent[]): RoundRead[] =>
  ofType(events, 'rollcall.round.read.v1').filter(({ data }) => data.final)

/** Of open votes. */
export const liveReadings = (events: readonly GovernanceEvent[]): RoundRead[] =>
  ofType(events, 'rollcall.round.read.v1').filter(({ data }) => !data.final)

/** An open vote as a restart after these events knows it. */
export const restoreVote = (events: readonly GovernanceEvent[], id = '1'): RoundState => {
  const governance = createGovernance()
  const restore = createRestore(governance)
  for (const event of events) restore(event)
  const proposal = governance.open.get(id)
  if (!proposal) throw new Error(`proposal ${id} is not open`)
  return proposal.vote
}

/** With the rows that follow from its log. */
export const index = async (chain: MemoryChain, { isAtTip = false } = {}) => {
  const { logger, lines } = recordingLogger()
  const events = await ingestToTip(chain, openMemoryLog(), { logger, isAtTip })
  return { events, lines, tables: foldHeights(groupByHeight(events)) }
}

export const proposal = (tables: MemoryTables) => tables.final('proposals')[0]!
export const tally = (tables: MemoryTables) => tables.final('tallies').at(-1)!

/** The tally that follows from a final reading of one chunk. */
const recount = ({ pools, ballots }: RoundRead['data']): TallyCounts =>
  computeTally(
    toTallyPools(pools),
    ballots.map(({ voter, options, delegations }) => ({
      voter,
      options: options ?? [],
      delegations: delegations ?? [],
    })),
  ).counts

export const ingested = async (steps: readonly Step[], chain?: MemoryChain) => {
  const played = play(steps, chain)
  const { events, lines } = await index(played, { isAtTip: true })
  const readings = finalReadings(events).map(({ data }) => data)
  const voterReads = played.queries.filter(
    ({ height, path }) => height === played.tip && /DelegatorDel/.test(path),
  )
  return {
    events,
    readings,
    counts: readings.map(recount),
    /** Delegations read at the last height; those of alice take two pages. */
    readsAtEnd: voterReads.length,
    warnings: lines.filter(({ msg }) => msg === 'read a tally again'),
    alerts: lines.filter(({ level }) => level === 'error'),
  }
}
