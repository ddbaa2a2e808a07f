// Creates the rows that follow from one event alone.
import { addressKey } from '../../../ingest/contract/address.ts'
import { type EventEnvelope, readProposalId } from '../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../../ingest/contract/round-events.ts'
import { ownDelegations } from '../../../ingest/tally/tally.ts'
import type { PoolRow, PoolStateRow } from '../../contract/tables/pools.ts'
import type {
  LightBlockRow,
  ProposalProofRow,
  ValidatorSetRow,
} from '../../contract/tables/proofs.ts'
import type { EventRow, MessageBytesRow } from '../../contract/tables/proposals.ts'
import type { VoterStakeRow } from '../../contract/tables/votes.ts'
import type { GovernanceRows } from '../../contract/tables.ts'
import type { EventPosition } from '../event-position.ts'
import { isOfPast } from '../past-votes.ts'
import type { FoldRecord } from '../record.ts'
import { timestampOrEpoch, toTimestamp } from '../timestamps.ts'

/** No spread: one height may have more rows than the argument limit of a call. */
export const append = <Row>(rows: Row[], more: readonly Row[]): void => {
  for (const row of more) rows.push(row)
}

const DEPOSIT = 'rollcall.proposal.deposited.v1'

/** The data of the envelope are not decoded. */
const readDepositorKey = ({ type, data }: EventEnvelope): string => {
  if (type !== DEPOSIT || typeof data !== 'object' || data === null) return ''
  const depositor: unknown = Reflect.get(data, 'depositor')
  return typeof depositor === 'string' ? addressKey(depositor) : ''
}

const eventRow = (envelope: EventEnvelope, text: string, at: EventPosition): EventRow => ({
  position: at.value,
  proposalId: readProposalId(envelope) ?? '0',
  type: envelope.type,
  id: envelope.id,
  height: envelope.height,
  time: timestampOrEpoch(envelope.time),
  depositorKey: readDepositorKey(envelope),
  event: text,
})

const messageBytesRow = (
  { data }: EventOf<'rollcall.message.bytes.v1'>,
  at: EventPosition,
): MessageBytesRow => ({
  proposalId: data.proposalId,
  message: data.message,
  path: data.path,
  chunk: data.chunk,
  chunks: data.chunks,
  sha256: data.sha256,
  size: data.size,
  bytes: data.bytes,
  version: at.value,
})

const facts = (pool: PoolState) => ({
  operatorAddress: pool.operatorAddress,
  moniker: pool.moniker,
  tokens: BigInt(pool.tokens),
  delegatorShares: pool.delegatorShares,
  status: pool.status,
  jailed: pool.jailed,
  counted: pool.counted ?? true,
})

const poolRows = (pools: readonly PoolState[], at: EventPosition): PoolRow[] =>
  pools.map((pool) => ({
    ...facts(pool),
    accountAddress: pool.accountAddress,
    accountKey: addressKey(pool.accountAddress),
    version: at.value,
  }))

const poolStateRows = (pools: readonly PoolState[], at: EventPosition): PoolStateRow[] => {
  const { height } = at
  const time = timestampOrEpoch(at.time)
  return pools.map((pool) => ({ ...facts(pool), position: at.value, height, time }))
}

function voterStakeRows(ballots: readonly ReadBallot[], at: EventPosition): VoterStakeRow[] {
  const time = timestampOrEpoch(at.time)
  const rows: VoterStakeRow[] = []
  for (const { voter, delegations } of ballots) {
    if (delegations === undefined) continue
    rows.push({
      voter,
      position: at.value,
      height: at.height,
      time,
      delegationsKnown: delegations !== null,
      delegations: ownDelegations(delegations ?? []).map(({ operatorAddress, shares }) => ({
        operatorAddress,
        shares,
      })),
    })
  }
  return rows
}

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

/** A past vote has pools and stake of an earlier height. */
const isOfCurrentState = (
  event: GovernanceEvent,
): event is EventOf<'rollcall.chain.snapshot.v1' | 'rollcall.round.read.v1'> =>
  event.type === 'rollcall.chain.snapshot.v1' ||
  (event.type === 'rollcall.round.read.v1' && !isOfPast(event))

const addDecoded = (rows: GovernanceRows, event: GovernanceEvent, at: EventPosition): void => {
  if (isOfCurrentState(event)) {
    append(rows.pools, poolRows(event.data.pools, at))
    append(rows.poolStates, poolStateRows(event.data.pools, at))
  }
  switch (event.type) {
    case 'rollcall.round.read.v1':
      if (!isOfPast(event)) append(rows.voterStakes, voterStakeRows(event.data.ballots, at))
      break
    case 'rollcall.message.bytes.v1':
      rows.messageBytes.push(messageBytesRow(event, at))
      break
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

/** Also of a record whose envelope alone can be decoded. */
export function addEventRows(rows: GovernanceRows, { decoded, text, at }: FoldRecord): void {
  const envelope = decoded.ok ? decoded.event : decoded.envelope
  if (!envelope || !at) return
  rows.events.push(eventRow(envelope, text, at))
  if (decoded.ok) addDecoded(rows, decoded.event, at)
}
