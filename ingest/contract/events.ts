// Every event type in the governance log as one union. EVENTS.md is generated from it. Immutable: a field is added, never renamed
// or removed; a breaking change is a new `.v2`.
import { type Static, Type } from 'typebox'
import { MessageBytes, ProposalContext } from './context-events.ts'
import { VoteReconstructed } from './history-events.ts'
import { LightBlockObserved, ProposalProof, ValidatorsObserved } from './proof-events.ts'
import { AbciEventUndecodable, FACT_EVENTS, ProposalSubmitted } from './proposal-events.ts'
import { RoundRead } from './round-events.ts'
import { BlockIndexed, ChainSnapshot } from './state-events.ts'

export const GovernanceEvent = Type.Union([
  ChainSnapshot,
  ProposalSubmitted,
  ProposalContext,
  MessageBytes,
  ...FACT_EVENTS,
  AbciEventUndecodable,
  RoundRead,
  LightBlockObserved,
  ValidatorsObserved,
  ProposalProof,
  VoteReconstructed,
  BlockIndexed,
])
export type GovernanceEvent = Static<typeof GovernanceEvent>
export type GovernanceEventType = GovernanceEvent['type']
/** The event of one type: `EventOf<'rollcall.vote.cast.v1'>`. */
export type EventOf<T extends GovernanceEventType> = Extract<GovernanceEvent, { type: T }>

/** The last event of every height in the log. */
export type Marker = EventOf<'rollcall.block.indexed.v1'>
