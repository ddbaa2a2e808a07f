// What ingest knows of governance: one state, folded from its own log and ahead of it from the facts of planned heights. The kernel
// decides facts; each other event type has one handler. Everything is kept only while a proposal is open, or is due.
import {
  type EventOf,
  type GovernanceEvent,
  type GovernanceEventType,
  type Marker,
  stakeChangesIn,
} from '../contract/events.ts'
import {
  type FactEvent,
  type GovernanceFact,
  isFactEvent,
  isOpen,
  toFacts,
} from '../contract/governance/fact.ts'
import { type Closed, findClosed } from '../contract/governance/lifecycle.ts'
import { createLateReads, type LateReads } from './late-reads.ts'
import { createObserved, type Observed } from './observed.ts'
import { createOpenContexts, type OpenContexts } from './open-contexts.ts'
import { type Applied, createOpenProposals, type OpenProposals } from './open-proposals.ts'
import { castStakes, createOpenStakes, type OpenStakes } from './open-stakes.ts'
import { createOpenTallies, type OpenTallies } from './open-tallies.ts'
import { createPendingProofs, type PendingProofs } from './pending-proofs.ts'
import { createUnreadVoters, type UnreadVoters } from './unread-voters.ts'

/** At the planned height, ahead of the log. Facts alone change it. */
export type Planned = { open: OpenProposals; proofs: PendingProofs; unread: UnreadVoters }

/** At the appended height. */
export type Logged = {
  open: OpenProposals
  stakes: OpenStakes
  tallies: OpenTallies
  observed: Observed
  contexts: OpenContexts
  lateReads: LateReads
}

export type Governance = { planned: Planned; logged: Logged }

/** `marker`: the last one in the log. */
export const createGovernance = (marker?: Marker): Governance => {
  const open = createOpenProposals()
  return {
    planned: {
      open: createOpenProposals(),
      proofs: createPendingProofs(),
      unread: createUnreadVoters(),
    },
    logged: {
      open,
      stakes: createOpenStakes(),
      tallies: createOpenTallies(open, marker),
      observed: createObserved(),
      contexts: createOpenContexts(),
      lateReads: createLateReads(),
    },
  }
}

/** Facts of one block, in order, each exactly once. */
export const planFact = (
  { open, proofs, unread }: Planned,
  fact: GovernanceFact,
  height: number,
): Applied => {
  const applied = open.apply(fact, height)
  proofs.follow(fact, applied, height)
  unread.release(applied.releasedVoters)
  return applied
}

type Handler<Type extends GovernanceEventType> = (logged: Logged, event: EventOf<Type>) => void

const onSnapshot: Handler<'rollcall.chain.snapshot.v1'> = (logged, { data, height }) => {
  logged.stakes.cast(data.votes)
  logged.observed.list(data)
  logged.lateReads.observe(data.params, height)
  for (const { proposal } of data.proposals) {
    if (isOpen(proposal)) logged.lateReads.list(proposal.proposalId, height)
  }
}

const onParams: Handler<'rollcall.params.observed.v1'> = (logged, event) => {
  logged.observed.observeParams(event.data)
  logged.tallies.observeParams(event)
  logged.lateReads.observe(event.data.params, event.height)
}

/** What the event of a fact says beyond it: the stake of a voter, or what the event lacks. */
const completeFact = (logged: Logged, event: FactEvent, closed: Closed | undefined): void => {
  if (event.type === 'rollcall.vote.cast.v1') logged.stakes.cast(castStakes(event))
  else logged.lateReads.apply(event, closed)
}

const nothing = (): void => undefined

type OtherType = Exclude<GovernanceEventType, FactEvent['type']>

const HANDLERS: { readonly [Type in OtherType]: Handler<Type> } = {
  'rollcall.chain.snapshot.v1': onSnapshot,
  'rollcall.proposal.read-late.v1': ({ lateReads }, event) => lateReads.apply(event, undefined),
  'rollcall.stake.changed.v1': ({ stakes }, event) => stakes.change(stakeChangesIn(event)),
  'rollcall.proposal.context.v1': ({ contexts }, { data }) => contexts.add(data),
  'rollcall.pools.observed.v1': ({ observed }, { data }) => observed.observePools(data),
  'rollcall.params.observed.v1': onParams,
  'rollcall.tally.observed.v1': ({ tallies }, event) => tallies.observe(event),
  'rollcall.abci-event.undecodable.v1': nothing,
  'rollcall.tally.evidence.v1': nothing,
  'rollcall.schema.observed.v1': nothing,
  'rollcall.message.bytes.v1': nothing,
  'rollcall.light-block.observed.v1': nothing,
  'rollcall.validators.observed.v1': nothing,
  'rollcall.proposal.proof.v1': nothing,
  'rollcall.vote.reconstructed.v1': nothing,
  'rollcall.votes.found.v1': nothing,
  'rollcall.history.progressed.v1': nothing,
  'rollcall.block.indexed.v1': nothing,
}

/** Before the facts of a snapshot. */
const expectMissing = (open: OpenProposals, event: GovernanceEvent): void => {
  if (event.type !== 'rollcall.chain.snapshot.v1') return
  open.addUnavailable(event.data.unavailable.map(({ what }) => what))
}

/** Events of the log in order, each exactly once. */
export const evolve = (logged: Logged, event: GovernanceEvent): void => {
  const { open, stakes, contexts, tallies } = logged
  expectMissing(open, event)
  const applied = toFacts(event).map((fact) => ({ fact, ...open.apply(fact, event.height) }))
  if (isFactEvent(event)) completeFact(logged, event, findClosed(applied[0]?.changes ?? []))
  // The table has a handler of exactly this type, but the compiler cannot verify it.
  else (HANDLERS[event.type] as Handler<OtherType>)(logged, event)
  for (const { fact, changes, releasedVoters } of applied) {
    stakes.release(releasedVoters)
    if (fact.proposalId === null || !findClosed(changes)) continue
    contexts.release(fact.proposalId)
    tallies.release(fact.proposalId)
  }
}

/** Moves the planned part to the events of the log, too: at a start, where nothing is planned. */
export const restore = ({ planned, logged }: Governance, event: GovernanceEvent): void => {
  evolve(logged, event)
  const { open, proofs } = planned
  expectMissing(open, event)
  if (event.type === 'rollcall.chain.snapshot.v1') proofs.begin(event.height)
  for (const fact of toFacts(event)) planFact(planned, fact, event.height)
}

/** After the last event that is restored. */
export const queueUnread = ({ planned, logged }: Governance): void =>
  planned.unread.begin(logged.stakes.readLater())
