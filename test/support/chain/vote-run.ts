// Ingests a vote on the chain in memory from start to end: the readings of its tallies, its state reads and its log lines.

import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { TallyCounts } from '../../../ingest/contract/facts.ts'
import { createGovernance, createRestore } from '../../../ingest/heights/governance.ts'
import type { RoundState } from '../../../ingest/rounds/round-state.ts'
import { tally } from '../../../ingest/tally/tally.ts'
import { toTallyPools } from '../fold/tally-cases.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { recordingLogger } from '../process/log-lines.ts'
import type { BlockSketch } from '../simulator/blocks.ts'
import { endEvent, submitTx, voteTx } from '../simulator/gov-events.ts'
import { type ChainState, proposalAt } from '../simulator/state/chain-state.ts'
import { toTallyResult } from '../simulator/state/node-tally.ts'
import { ingestToTip, ofType } from './ingest-run.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

export type Change = (state: ChainState) => void
export type Step = [BlockSketch, Change?]

export const NONE: TallyCounts = { yes: '0', abstain: '0', no: '0', noWithVeto: '0' }

/** alice delegates to three pools, bob to one; operators have the names of their pools. */
const withBob: Change = ({ delegations }) => {
  delegations.set('bob', new Map([['one', 60n]]))
}

export const start = (id = '1'): Step => [
  { txs: [submitTx(id)] },
  (state) => {
    state.proposals.set(id, proposalAt(id, 2, 2))
    withBob(state)
  },
]

/** Blocks without events; the first of them with a change that none reports. */
export const quiet = (blocks: number, change?: Change): Step[] =>
  Array.from({ length: blocks }, (_, at): Step => (at === 0 && change ? [{}, change] : [{}]))

/** The block that ends the vote, with the chain's own result. */
export const end = (
  counts: Partial<TallyCounts>,
  sketch: BlockSketch = {},
  change?: Change,
): Step => [
  { ...sketch, end: [...(sketch.end ?? []), endEvent('1', 'proposal_passed')] },
  (state) => {
    change?.(state)
    const finalTallyResult = toTallyResult(counts)
    state.proposals.set('1', { ...state.proposals.get('1')!, status: 3, finalTallyResult })
  },
]

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

/** The tally that follows from a final reading of one chunk. */
export const recount = ({ pools, ballots }: RoundRead['data']): TallyCounts =>
  tally(
    toTallyPools(pools),
    ballots.map(({ voter, options, delegations }) => ({
      voter,
      options: options ?? [],
      delegations: delegations ?? [],
    })),
  ).counts

export const ingested = async (
  steps: readonly Step[],
  env: Record<string, string> = {},
  chain: MemoryChain = createMemoryChain(),
) => {
  for (const [sketch, change] of steps) chain.add(sketch, change)
  const { logger, lines } = recordingLogger()
  const events = await ingestToTip(chain, openMemoryLog(), { env, logger, isAtTip: true })
  const readings = finalReadings(events).map(({ data }) => data)
  const voterReads = (height: number) =>
    chain.queries.filter((query) => query.height === height && /DelegatorDel/.test(query.path))
  return {
    events,
    readings,
    live: liveReadings(events),
    counts: readings.map(recount),
    /** Delegations read at the last height; those of alice take two pages. */
    readsAtEnd: voterReads(chain.tip).length,
    warnings: lines.filter(({ msg }) => msg === 'read a tally again'),
    alerts: lines.filter(({ level }) => level === 'error'),
  }
}

/** alice yes, bob no, an operator with veto. */
export const votes: Step = [
  { txs: [voteTx('1', 'alice'), voteTx('1', 'bob', 3), voteTx('1', 'one', 4)] },
]
