// Ended votes on the chain in memory: with times of their periods, indexed live, and reconstructed from past states.

import { systemClock } from '../../../infra/base/runtime/clock.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { isKnown, known } from '../../../ingest/chain/answer.ts'
import { proposalAt as readProposal } from '../../../ingest/chain/gov.ts'
import type { ChainNode, ChainReader } from '../../../ingest/comet/endpoints/node.ts'
import type { ProposalState, TallyCounts } from '../../../ingest/contract/facts.ts'
import type { TallyRule } from '../../../ingest/contract/tally-rule.ts'
import { createIngestMetrics } from '../../../ingest/ingest-metrics.ts'
import type { HistoryReads } from '../../../ingest/past-rounds/reconstruct.ts'
import { createSchemaSource, type SchemaSource } from '../../../ingest/schema/schema-source.ts'
import type { TallyRules } from '../../../ingest/tally-rules/find-rule.ts'
import { silentLogger } from '../process/log-lines.ts'
import { type BlockSketch, timeAt } from '../simulator/blocks.ts'
import { endEvent, submitTx } from '../simulator/gov-events.ts'
import { proposalAt, toTimestamp } from '../simulator/state/chain-state.ts'
import { toTallyResult } from '../simulator/state/node-tally.ts'
import { hurried } from './ingest-run.ts'
import type { MemoryChain } from './memory-chain.ts'
import type { Change, Step } from './vote-run.ts'

const createSchemas = (node: Pick<ChainNode, 'abciQuery'>): SchemaSource =>
  createSchemaSource({ node, clock: systemClock, logger: silentLogger() })

/** Submitted at the height `from`; the first block since `until` ends it. */
export type Period = { from: number; until: number; expedited?: boolean }

export const begin = (id: string, { from, until, expedited = false }: Period): Step => [
  { txs: [submitTx(id)] },
  ({ proposals }) => {
    proposals.set(id, {
      ...proposalAt(id, from, 2),
      expedited,
      votingEndTime: toTimestamp(timeAt(until)),
    })
  },
]

/** Status and tally of the proposal, as x/gov writes them at the end of its vote. */
export const withResult =
  (id: string, counts: Partial<TallyCounts>, status = 3): Change =>
  ({ proposals, votes }) => {
    const finalTallyResult = toTallyResult(counts)
    proposals.set(id, { ...proposals.get(id)!, status, finalTallyResult })
    votes.delete(id)
  }

/** An expedited vote that failed: the same proposal in a regular vote, until a later block. */
export const withSecondRound =
  (id: string, counts: Partial<TallyCounts>, until: number): Change =>
  ({ proposals, votes }) => {
    const finalTallyResult = toTallyResult(counts)
    const votingEndTime = toTimestamp(timeAt(until))
    proposals.set(id, {
      ...proposals.get(id)!,
      expedited: false,
      finalTallyResult,
      votingEndTime,
    })
    votes.delete(id)
  }

export const close = (id: string, counts: Partial<TallyCounts>, sketch: BlockSketch = {}): Step => [
  { ...sketch, end: [...(sketch.end ?? []), endEvent(id, 'proposal_passed')] },
  withResult(id, counts),
]

export const addAll = (chain: MemoryChain, steps: readonly Step[]): MemoryChain => {
  for (const [sketch, change] of steps) chain.add(sketch, change)
  return chain
}

export const closedProposal = async (chain: ChainReader, id: string): Promise<ProposalState> => {
  const answer = await readProposal(chain, id, 0)
  if (!isKnown(answer)) throw new Error(answer.unavailable)
  return answer.value.proposal
}

/** Every height has this rule. */
export const fixedRule = (name: TallyRule): TallyRules => ({ find: async () => known({ name }) })

export const historyReads = (
  chain: MemoryChain,
  overrides: Partial<HistoryReads> = {},
): HistoryReads => ({
  nodes: [{ name: 'archive', node: chain }],
  schemas: createSchemas(chain),
  rules: fixedRule('gov'),
  searchesVotes: false,
  tip: chain.tip,
  clock: hurried,
  signal: new AbortController().signal,
  logger: silentLogger(),
  metrics: createIngestMetrics(createMetrics('ingest')),
  ...overrides,
})
