// Governance facts from the events of a block alone, without state. `enrich` turns them into events.
import type { AbciAttribute } from '../comet/block.ts'
import type { EventOf } from '../contract/events.ts'
import type { Coin, WeightedOption } from '../contract/facts.ts'
import type { Finding } from '../contract/governance/fact.ts'

/**
 * Where a fact comes from: `ordinal` and `sub` give its index, `txIndex` is null outside of txs.
 * `abciOrdinal` is the ordinal of its ABCI event in the block. It differs from `ordinal` only in a block with
 * more events than the index can number.
 */
export type Origin = { ordinal: number; sub: number; abciOrdinal: number; txIndex: number | null }

type SubmittedFact = {
  kind: 'submitted'
  proposalId: string
  proposer: string | null
  proposerReason: string | null
}
type DepositedFact = {
  kind: 'deposited'
  proposalId: string
  depositor: string | null
  depositorReason: string | null
  amount: Coin[]
}
type VotingStartedFact = { kind: 'voting_started'; proposalId: string }
type VoteCastFact = {
  kind: 'vote_cast'
  proposalId: string
  voter: string | null
  voterReason: string | null
  options: WeightedOption[]
  counted: boolean
}
export type Outcome = 'passed' | 'rejected' | 'failed' | 'unknown'
/** `restarted`: an expedited vote fell back to a regular one. */
type EndedFact =
  | {
      kind: 'closed'
      proposalId: string
      outcome: Outcome
      result: string
      log: string | null
      /** False if it ended without a vote. */
      isTallied: boolean
    }
  | { kind: 'restarted'; proposalId: string; result: string; log: string | null }
type CanceledFact = { kind: 'canceled'; proposalId: string; sender: string | null }
type DroppedFact = { kind: 'dropped'; proposalId: string; result: string }
export type Cause = EventOf<'rollcall.proposal.reconciled.v1'>['data']['cause']
/** The state of the chain differs from the events: it is no fact of a block. */
type ReconciledFact = {
  kind: 'reconciled'
  proposalId: string
  finding: Finding
  cause: Cause
  result: string | null
  log: string | null
}
type UndecodableFact = {
  kind: 'undecodable'
  abciType: string
  attributes: AbciAttribute[]
  proposalId: string | null
  reason: string
}

export type FactBody =
  | SubmittedFact
  | DepositedFact
  | VotingStartedFact
  | VoteCastFact
  | EndedFact
  | CanceledFact
  | DroppedFact
  | ReconciledFact
  | UndecodableFact
export type RawFact = Origin & FactBody
export type RawFactOf<Kind extends FactBody['kind']> = Extract<RawFact, { kind: Kind }>
