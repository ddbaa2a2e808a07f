// Creates the rows of proofs of proposals from their events, without missing parts.
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type {
  LightBlockRow,
  ProposalProofRow,
  ValidatorSetRow,
} from '../../contract/tables/proofs.ts'
import type { GovernanceRows } from '../../contract/tables.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch, toTimestamp } from '../timestamps.ts'

const INCOMPLETE = 'the event was too large for the log'

/** Why the event has no valid proof or header. The rest of an event that was too large proves nothing. */
const missingReason = (data: {
  reason: string | null
  omitted?: readonly unknown[]
  omittedReason?: string
}): string | null => (data.omitted ? (data.omittedReason ?? INCOMPLETE) : data.reason)

const toJson = (value: object | null): string | null =>
  value === null ? null : JSON.stringify(value)

const proposalProofRow = (
  { data }: EventOf<'rollcall.proposal.proof.v1'>,
  at: EventPosition,
): ProposalProofRow => {
  const reason = missingReason(data)
  return {
    proposalId: data.proposalId,
    round: data.round,
    stateHeight: data.stateHeight,
    chunk: data.chunk,
    chunks: data.chunks,
    store: data.store,
    key: data.key,
    value: reason === null ? data.value : null,
    proofOps: reason === null ? toJson(data.proofOps) : null,
    reason,
    time: timestampOrEpoch(at.time),
    version: at.value,
  }
}

const timeIn = (header: Readonly<Record<string, unknown>> | null): string | null => {
  const time = header?.['time']
  return typeof time === 'string' ? toTimestamp(time) : null
}

const lightBlockRow = (
  { data }: EventOf<'rollcall.light-block.observed.v1'>,
  at: EventPosition,
): LightBlockRow => {
  const reason = missingReason(data)
  const { header, commit, validatorsHash } =
    reason === null ? data : { header: null, commit: null, validatorsHash: null }
  return {
    height: data.blockHeight,
    hash: data.hash,
    headerTime: timeIn(header),
    header: toJson(header),
    commit: toJson(commit),
    validatorsHash: validatorsHash,
    reason,
    time: timestampOrEpoch(at.time),
    version: at.value,
  }
}

const validatorSetRow = (
  { data }: EventOf<'rollcall.validators.observed.v1'>,
  at: EventPosition,
): ValidatorSetRow => ({
  hash: data.hash,
  validators: JSON.stringify(data.validators),
  version: at.value,
})

export const addProofRows = (
  rows: GovernanceRows,
  event: GovernanceEvent,
  at: EventPosition,
): void => {
  switch (event.type) {
    case 'rollcall.proposal.proof.v1':
      rows.proposalProofs.push(proposalProofRow(event, at))
      break
    case 'rollcall.light-block.observed.v1':
      rows.lightBlocks.push(lightBlockRow(event, at))
      break
    case 'rollcall.validators.observed.v1':
      // An incomplete validator set does not match its hash.
      if (!event.data.omitted) rows.validatorSets.push(validatorSetRow(event, at))
      break
  }
}
