// Ingests a vote on the chain in memory from start to end: its evidence, its state reads and its log lines.

import type { BlockSketch } from '../../../infra/app/chain/blocks.ts'
import { endEvent, submitTx, voteTx } from '../../../infra/app/chain/gov-events.ts'
import { type ChainState, proposalAt } from '../../../infra/app/chain/state/chain-state.ts'
import { toTallyResult } from '../../../infra/app/chain/state/node-tally.ts'
import type { TallyCounts } from '../../../ingest/contract/facts.ts'
import { tally } from '../../../ingest/tally/tally.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { recordingLogger } from '../process/log-lines.ts'
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

export const ingested = async (
  steps: readonly Step[],
  env: Record<string, string> = {},
  chain: MemoryChain = createMemoryChain(),
) => {
  for (const [sketch, change] of steps) chain.add(sketch, change)
  const { logger, lines } = recordingLogger()
  const events = await ingestToTip(chain, openMemoryLog(), { env, logger })
  const evidence = ofType(events, 'rollcall.tally.evidence.v1').map(({ data }) => data)
  const voterReads = (height: number) =>
    chain.queries.filter((query) => query.height === height && /DelegatorDel/.test(query.path))
  return {
    events,
    evidence,
    counts: evidence.map(({ pools, ballots }) => tally(pools, ballots).counts),
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
