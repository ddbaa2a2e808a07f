// Creates the rows that follow from one event alone.
import { addressKey } from '../../../ingest/contract/address.ts'
import { type EventEnvelope, readProposalId } from '../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../../ingest/contract/round-events.ts'
import { ownDelegations } from '../../../ingest/tally/tally.ts'
import type { PoolProfileRow, PoolRow } from '../../contract/tables/pools.ts'
import type { LightBlockRow, ProposalProofRow } from '../../contract/tables/proofs.ts'
import type { EventRow } from '../../contract/tables/proposals.ts'
import type { VoterStakeRow } from '../../contract/tables/votes.ts'
import type { GovernanceRows } from '../../contract/tables.ts'
import { timestampOrEpoch, toTimestamp } from '../../contract/timestamps.ts'
import type { EventPosition } from '../event-position.ts'
import { isOfPast } from '../past-votes.ts'
import type { FoldRecord } from '../record.ts'

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

const poolRows = (pools: readonly PoolState[], { value: version }: EventPosition): PoolRow[] =>
  pools.map((pool) => ({
    ...pool,
    accountKey: addressKey(pool.accountAddress),
    tokens: BigInt(pool.tokens),
    counted: pool.counted ?? true,
    version,
  }))

function poolProfileRows(
  pools: readonly PoolState[],
  { value: version, height }: EventPosition,
): PoolProfileRow[] {
  return pools.flatMap(({ operatorAddress, profile }) => {
    if (!profile) return []
    const { commission, ...words } = profile
    const { rate = null, maxRate = null, maxChangeRate = null } = commission ?? {}
    const commissions = {
      commissionRate: rate,
      commissionMaxRate: maxRate,
      commissionMaxChangeRate: maxChangeRate,
    }
    return [{ operatorAddress, height, ...words, ...commissions, version }]
  })
}

const toPlace = ({ value: position, height, time }: EventPosition) => ({
  position,
  height,
  time: timestampOrEpoch(time),
})

function voterStakeRows(ballots: readonly ReadBallot[], at: EventPosition): VoterStakeRow[] {
  const { position, height, time } = toPlace(at)
  return ballots.flatMap(({ voter, delegations }) => {
    if (delegations === undefined) return []
    const owned = ownDelegations(delegations ?? [])
    const delegationsKnown = delegations !== null
    return [{ voter, position, height, time, delegationsKnown, delegations: owned }]
  })
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
  { value: version, time }: EventPosition,
): ProposalProofRow => {
  const reason = missingReason(data)
  const { value, proofOps } = reason === null ? data : { value: null, proofOps: null }
  return {
    ...data,
    value,
    proofOps: toJson(proofOps),
    reason,
    time: timestampOrEpoch(time),
    version,
  }
}

const timeIn = (header: Readonly<Record<string, unknown>> | null): string | null => {
  const time = header?.['time']
  return typeof time === 'string' ? toTimestamp(time) : null
}

const lightBlockRow = (
  { data }: EventOf<'rollcall.light-block.observed.v1'>,
  { value: version, time }: EventPosition,
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
    validatorsHash,
    reason,
    time: timestampOrEpoch(time),
    version,
  }
}

/** A past vote has pools and stake of an earlier height. */
const isOfCurrentState = (
  event: GovernanceEvent,
): event is EventOf<'rollcall.chain.snapshot.v1' | 'rollcall.round.read.v1'> =>
  event.type === 'rollcall.chain.snapshot.v1' ||
  (event.type === 'rollcall.round.read.v1' && !isOfPast(event))

const addDecoded = (rows: GovernanceRows, event: GovernanceEvent, at: EventPosition): void => {
  if (isOfCurrentState(event)) {
    const pools = poolRows(event.data.pools, at)
    const place = toPlace(at)
    append(rows.pools, pools)
    append(rows.poolProfiles, poolProfileRows(event.data.pools, at))
    append(
      rows.poolStates,
      pools.map((pool) => ({ ...pool, ...place })),
    )
  }
  switch (event.type) {
    case 'rollcall.round.read.v1':
      if (!isOfPast(event)) append(rows.voterStakes, voterStakeRows(event.data.ballots, at))
      break
    case 'rollcall.message.bytes.v1':
      rows.messageBytes.push({ ...event.data, version: at.value })
      break
    case 'rollcall.proposal.proof.v1':
      rows.proposalProofs.push(proposalProofRow(event, at))
      break
    case 'rollcall.light-block.observed.v1':
      rows.lightBlocks.push(lightBlockRow(event, at))
      break
    case 'rollcall.validators.observed.v1': {
      const { hash, validators, omitted } = event.data
      const text = JSON.stringify(validators)
      // An incomplete validator set does not match its hash.
      if (!omitted) rows.validatorSets.push({ hash, validators: text, version: at.value })
      break
    }
  }
}

/** Also of a record whose envelope alone can be decoded. */
export function addEventRows(rows: GovernanceRows, { decoded, text, at }: FoldRecord): void {
  const envelope = decoded.ok ? decoded.event : decoded.envelope
  if (!envelope || !at) return
  rows.events.push(eventRow(envelope, text, at))
  if (decoded.ok) addDecoded(rows, decoded.event, at)
}
