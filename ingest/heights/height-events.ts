// Turns the plan of one height into its complete events, with the state of the height. Heights may be read at the same time.
import { isKnown, valueOrNull } from '../chain/answer.ts'
import { createStateAt, type StateAt } from '../chain/state-at.ts'
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../contract/events.ts'
import { eventAt, inOrder, proposalSubject } from '../derive/event-at.ts'
import type { RawFact, RawFactOf } from '../derive/raw-fact.ts'
import { bytesEvents, readContext } from '../proposals/context.ts'
import {
  type DecodedProposal,
  readMessages,
  readProposalAtHeight,
  readSubmission,
} from '../proposals/proposal.ts'
import { reconcile } from '../proposals/reconciled.ts'
import { closeData } from '../rounds/close.ts'
import { type ClosingOptions, readClosing } from '../rounds/closing.ts'
import { createReadBudget } from '../rounds/read-budget.ts'
import { readRound } from '../rounds/read-round.ts'
import { type RoundRead, toFinalReading } from '../rounds/reading-events.ts'
import { createModuleState, type ModuleState } from '../schema/module-query.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { HeightState, StateNode } from './height-state.ts'
import type { PlannedFact, PlannedHeight } from './plan.ts'

export type HeightSources = {
  schemas: SchemaSource
  after: StateAt
  closing: ClosingOptions
  /** Of the open votes, at the tip. */
  readings?: readonly RoundRead[]
}

/** `reading`: of the tally of a round that ended. `decoded`: the messages in the event. */
type FactEvent = {
  event: GovernanceEvent
  reading?: readonly RoundRead[]
  decoded?: DecodedProposal | undefined
}

type PlannedOf<Kind extends RawFact['kind']> = PlannedFact & { fact: RawFactOf<Kind> }

const createEvent = <Type extends GovernanceEventType>(
  { plan }: HeightState,
  fact: RawFact,
  { type, data }: { type: Type; data: EventOf<Type>['data'] },
): EventOf<Type> => {
  const { proposalId } = fact
  const subject = proposalId === null ? {} : { subject: proposalSubject(proposalId) }
  return eventAt(plan.block, fact, { type, ...subject, data })
}

const submitted = async (
  state: HeightState,
  fact: RawFactOf<'submitted'>,
  txHash: string | null,
) => {
  const [{ content, decoded }, params] = await Promise.all([
    readSubmission(state, fact),
    state.after.params(),
  ])
  const reason = isKnown(params) ? {} : { paramsReason: params.unavailable }
  const data = { ...content, txHash, params: valueOrNull(params), ...reason }
  return {
    event: createEvent(state, fact, { type: 'rollcall.proposal.submitted.v1', data }),
    decoded,
  }
}

/** With the reading of its tally, if it had a vote. */
const ended = async (
  state: HeightState,
  planned: PlannedOf<'closed' | 'restarted'>,
  options: ClosingOptions,
): Promise<FactEvent> => {
  const { fact, round, before } = planned
  const close = await closeData(state, planned)
  const { result } = fact
  const event =
    fact.kind === 'closed'
      ? createEvent(state, fact, {
          type: 'rollcall.proposal.closed.v1',
          data: { ...close, outcome: fact.outcome, result },
        })
      : createEvent(state, fact, {
          type: 'rollcall.voting.restarted.v1',
          data: { ...close, result },
        })
  if (round === 0) return { event }
  const closed = await readClosing({ states: state, fact, close, before }, options)
  return { event, reading: toFinalReading(state.plan.block, { fact, round }, closed) }
}

/** The chain deletes the ballots: the last ones are those of the height before. */
const readCanceled = async (
  { plan, before }: HeightState,
  { fact, round, before: was }: PlannedOf<'canceled'>,
  options: ClosingOptions,
): Promise<readonly RoundRead[]> => {
  if (round === 0 || !was) return []
  const known = { proposalId: fact.proposalId, ballots: was.vote.ballots, basis: undefined }
  const want = { ballots: 'all', basis: true, stake: 'all' } as const
  const reading = await readRound(before, known, want, { budget: createReadBudget(options) })
  return toFinalReading(plan.block, { fact, round }, { reading })
}

const toFactEvent = async (
  state: HeightState,
  planned: PlannedFact,
  options: ClosingOptions,
): Promise<FactEvent> => {
  const { fact, round } = planned
  const { txIndex } = fact
  const txHash = txIndex === null ? null : (state.plan.block.txs[txIndex]?.hash ?? null)
  switch (fact.kind) {
    case 'submitted':
      return await submitted(state, fact, txHash)
    case 'deposited': {
      const { depositor, depositorReason, amount } = fact
      const read = await readProposalAtHeight(state, fact.proposalId)
      const reason = depositorReason === null ? {} : { depositorReason }
      const data = { ...read, depositor, ...reason, amount, txHash }
      return { event: createEvent(state, fact, { type: 'rollcall.proposal.deposited.v1', data }) }
    }
    case 'voting_started': {
      const data = { ...(await readProposalAtHeight(state, fact.proposalId)), txHash }
      return { event: createEvent(state, fact, { type: 'rollcall.voting.started.v1', data }) }
    }
    case 'vote_cast': {
      const { proposalId, voter, voterReason, options: chosen, counted } = fact
      const cast = { proposalId, round, voter, voterReason, options: chosen }
      const data = { ...cast, ...(fact.reason ? { reason: fact.reason } : {}), txHash, counted }
      return { event: createEvent(state, fact, { type: 'rollcall.vote.cast.v1', data }) }
    }
    case 'closed':
    case 'restarted':
      return await ended(state, { ...planned, fact }, options)
    case 'canceled': {
      const { proposalId, sender } = fact
      const data = { proposalId, sender, txHash }
      const event = createEvent(state, fact, { type: 'rollcall.proposal.canceled.v1', data })
      return { event, reading: await readCanceled(state, { ...planned, fact }, options) }
    }
    case 'dropped': {
      const { proposalId, result } = fact
      const data = { proposalId, result }
      return { event: createEvent(state, fact, { type: 'rollcall.proposal.dropped.v1', data }) }
    }
    case 'undecodable': {
      const { abciType, attributes, proposalId, reason } = fact
      const data = { abciType, attributes, proposalId, txHash, reason }
      return {
        event: createEvent(state, fact, { type: 'rollcall.abci-event.undecodable.v1', data }),
      }
    }
    case 'reconciled':
      return await reconcile(state, { ...planned, fact }, options)
  }
}

/** After the event with the messages: after a start of voting by the same ABCI event. */
const followMessages = async (
  { plan: { block } }: HeightState,
  { event, reading = [], decoded }: FactEvent,
  { fact: { ordinal, proposalId }, modules }: { fact: RawFact; modules: ModuleState },
): Promise<GovernanceEvent[]> => {
  if (!decoded || proposalId === null || reading.length > 0) return []
  const sub = (event.index % SUB_LIMIT) + 2
  const kept = decoded.kept.map((each) => ({ ...each, proposalId }))
  return [
    ...(await readContext(block, { state: modules, proposalId, decoded }, { ordinal, sub })),
    ...bytesEvents(block, kept, { ordinal, sub: sub + 1, end: SUB_LIMIT }),
  ]
}

/** The last ones of the height: the number of readings never shifts their IDs. */
const FIRST_CONTEXT_SUB = SUB_LIMIT - 128

/** A proposal that passed may have changed the parameters that open proposals would change. */
const readContextsAgain = async (
  state: HeightState,
  modules: ModuleState,
): Promise<GovernanceEvent[]> => {
  const { block, afterPassing } = state.plan
  const events: GovernanceEvent[] = []
  for (const proposalId of afterPassing) {
    const at = { ordinal: ORDINAL.after, sub: FIRST_CONTEXT_SUB + events.length }
    const decoded = at.sub < SUB_LIMIT ? await readMessages(state, proposalId) : undefined
    if (!decoded) continue
    events.push(...(await readContext(block, { state: modules, proposalId, decoded }, at)))
  }
  return events
}

/** Runs all reads of the plan at its height. In order, without the marker. */
export async function readHeightEvents(
  node: StateNode,
  plan: PlannedHeight,
  { closing, readings = [], ...sources }: HeightSources,
): Promise<readonly GovernanceEvent[]> {
  if (plan.facts.length === 0) return readings
  const { height } = plan.block
  const state: HeightState = { node, plan, before: createStateAt(node, height - 1), ...sources }
  const modules = createModuleState(node, height)
  const readOne = async (planned: PlannedFact) => {
    const read = await toFactEvent(state, planned, closing)
    const following = await followMessages(state, read, { fact: planned.fact, modules })
    return [read.event, ...following, ...(read.reading ?? [])]
  }
  const [facts, again] = await Promise.all([
    Promise.all(plan.facts.map(readOne)),
    readContextsAgain(state, modules),
  ])
  return [...facts.flat(), ...inOrder([...readings, ...again])]
}
