// Ended votes on the chain in memory: with times of their periods, indexed live, and reconstructed from past states.

import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { isKnown, known } from '../../../ingest/chain/answer.ts'
import { proposalAt as readProposal } from '../../../ingest/chain/gov.ts'
import type { ChainReader } from '../../../ingest/comet/endpoints/node.ts'
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { ProposalState, TallyCounts } from '../../../ingest/contract/facts.ts'
import type { TallyRule } from '../../../ingest/contract/tally-rule.ts'
import { createIngestMetrics } from '../../../ingest/ingest-metrics.ts'
import {
  type HistoryReads,
  type Reconstruction,
  reconstruct,
} from '../../../ingest/past-rounds/reconstruct.ts'
import type { TallyRules } from '../../../ingest/tally-rules/find-rule.ts'
import { silentLogger } from '../process/log-lines.ts'
import { type BlockSketch, timeAt } from '../simulator/blocks.ts'
import { endEvent, submitTx } from '../simulator/gov-events.ts'
import { type ChainState, proposalAt, toTimestamp } from '../simulator/state/chain-state.ts'
import { toTallyResult } from '../simulator/state/node-tally.ts'
import { hurried } from './ingest-run.ts'
import type { MemoryChain } from './memory-chain.ts'
import { createSchemas } from './schemas.ts'
import { type Change, finalReadings, type Step } from './vote-run.ts'

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

/** Several changes in one block. */
export const all =
  (...changes: readonly Change[]): Change =>
  (state: ChainState) => {
    for (const change of changes) change(state)
  }

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
  tip: { height: chain.tip, time: chain.blocks().at(-1)?.time ?? '' },
  clock: hurried,
  signal: new AbortController().signal,
  logger: silentLogger(),
  metrics: createIngestMetrics(createMetrics('ingest')),
  ...overrides,
})

/** Throws with the reason if the proposal cannot be reconstructed. */
export const reconstructed = async (
  chain: MemoryChain,
  id: string,
  overrides: Partial<HistoryReads> = {},
): Promise<Reconstruction> => {
  const answer = await reconstruct(await closedProposal(chain, id), historyReads(chain, overrides))
  if (!isKnown(answer)) throw new Error(answer.unavailable)
  return answer.value
}

type Reading = EventOf<'rollcall.round.read.v1'>['data']

/** A round without what only one of live indexing and history knows, such as the order of the ballots. */
export type ComparedRound = {
  result: Record<string, unknown>
  readings: readonly Reading[]
}

const byVoter = (one: { voter: string }, other: { voter: string }) =>
  one.voter < other.voter ? -1 : 1

const sorted = (readings: readonly Reading[]) =>
  readings.map((chunk) => ({ ...chunk, ballots: chunk.ballots.toSorted(byVoter) }))

const RESULT = ['proposal', 'round', 'finalTally', 'bondedTokens', 'params', 'unavailableReason']

const CLOSE = ['closedHeight', 'closedTime']

const pick = (data: object) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => RESULT.includes(name)))

const pickClose = (data: object) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => CLOSE.includes(name)))

export const liveRounds = (events: readonly GovernanceEvent[], id: string): ComparedRound[] => {
  const ends = events.filter(
    (event) =>
      (event.type === 'rollcall.proposal.closed.v1' ||
        event.type === 'rollcall.voting.restarted.v1' ||
        (event.type === 'rollcall.proposal.reconciled.v1' && event.data.finding === 'closed')) &&
      event.data.proposalId === id,
  ) as EventOf<'rollcall.proposal.closed.v1' | 'rollcall.proposal.reconciled.v1'>[]
  const readings = finalReadings(events).map(({ data }) => data)
  return ends.map(({ height, time, data }) => ({
    // A close without an event has its height in the data.
    result: { ...pick(data), closedHeight: height, closedTime: time, ...pickClose(data) },
    readings: sorted(
      readings.filter(({ proposalId, round }) => proposalId === id && round === data.round),
    ),
  }))
}

export const pastRounds = ({ drafts }: Reconstruction): ComparedRound[] =>
  drafts.flatMap(({ type, data }) => {
    if (type !== 'rollcall.vote.reconstructed.v1') return []
    const readings = drafts.flatMap((each) =>
      each.type === 'rollcall.round.read.v1' && each.data.round === data.round ? [each.data] : [],
    )
    const { closedHeight, closedTime } = data
    return [{ result: { ...pick(data), closedHeight, closedTime }, readings: sorted(readings) }]
  })
