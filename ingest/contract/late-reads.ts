// What an event lacks although a later state of the chain has it, and until when that state is read. Ingest reads it, and the fold
// of the projections waits for it: both follow this file.
import type { EventOf, GovernanceEvent } from './events.ts'

/** The immutable facts that are null in an event. */
export type MissingFacts = {
  proposal: boolean
  messages: boolean
  finalTally: boolean
  params: boolean
}

/** Block time after an event until its missing facts are given up. */
export const LATE_READS_MS = 7 * 86_400_000

/** The statuses of a proposal with a final tally. */
export const TALLIED = ['passed', 'rejected', 'failed']

const NOTHING: MissingFacts = {
  proposal: false,
  messages: false,
  finalTally: false,
  params: false,
}

type Ended =
  | EventOf<'rollcall.proposal.closed.v1'>
  | EventOf<'rollcall.voting.restarted.v1'>
  | EventOf<'rollcall.proposal.reconciled.v1'>

const missingOfRound = ({ data }: Ended): MissingFacts => {
  const hasVote = data.round > 0
  return {
    ...NOTHING,
    proposal: data.proposal === null,
    // A state that was read and has no tally will not get one.
    finalTally: hasVote && data.finalTally === null && data.proposal === null,
    params: hasVote && data.params === null,
  }
}

const missingIn = (event: GovernanceEvent): MissingFacts => {
  switch (event.type) {
    case 'rollcall.proposal.submitted.v1': {
      const { proposal, proposalReason } = event.data
      // From its transaction alone: the times are computed, and the deposit may be another.
      return { ...NOTHING, proposal: proposalReason !== null, messages: proposal === null }
    }
    case 'rollcall.proposal.deposited.v1':
    case 'rollcall.voting.started.v1':
      return { ...NOTHING, proposal: event.data.proposal === null }
    case 'rollcall.proposal.closed.v1':
    case 'rollcall.voting.restarted.v1':
      return missingOfRound(event)
    case 'rollcall.proposal.reconciled.v1': {
      const { finding, proposal } = event.data
      const isTallied = finding === 'closed' && TALLIED.includes(proposal?.status ?? '')
      return isTallied ? missingOfRound(event) : NOTHING
    }
    default:
      return NOTHING
  }
}

const isAny = (missing: MissingFacts): boolean => Object.values(missing).includes(true)

/** Undefined if the event lacks nothing that a later state can have. */
export const findMissingFacts = (event: GovernanceEvent): MissingFacts | undefined => {
  const missing = missingIn(event)
  return isAny(missing) ? missing : undefined
}

/** What is still missing after the state of the proposal was read at another height; undefined if nothing is. */
export const withoutProposal = (missing: MissingFacts): MissingFacts | undefined => {
  const rest = { ...missing, proposal: false }
  return isAny(rest) ? rest : undefined
}

/** Another event has the state of the proposal: what its events still lack. */
export const learnProposal = <Each extends { missing: MissingFacts }>(
  incomplete: readonly Each[],
): Each[] =>
  incomplete.flatMap((each) => {
    const missing = withoutProposal(each.missing)
    return missing ? [{ ...each, missing }] : []
  })
