// Folds agent events into rows of `claims` and `revocations`. Pure: the same events in the same order give the same rows, from
// any start that is not after `firstOffset`.
import { type ClaimEvent, type ClaimState, decideClaim } from '../../auth/contract/claim-state.ts'
import type { AgentEvent, AgentEventOf } from '../../auth/contract/claims.ts'
import type { ClaimRow, RevocationRow } from '../contract/tables/agents.ts'
import { wallClockTimestamp } from './timestamps.ts'

export type AgentRows = { claims: ClaimRow[]; revocations: RevocationRow[] }

export type AgentFold = {
  apply(event: AgentEvent, offset: bigint): void
  /** The rows since the last call. */
  drain(): AgentRows
  /** First offset of the kept state; undefined if there is none. */
  firstOffset(): bigint | undefined
}

/** `untilMs`: after it no event can follow, because no token lives longer. The service keeps claims by the lifetimes of its settings. */
type Kept = { claim: ClaimState; row: ClaimRow; offset: bigint; untilMs: number }

const DAY_MS = 24 * 60 * 60_000
/** A registration can be claimed for at most a week. */
const KEPT_MS = 8 * DAY_MS

const stamp = (instant: string): string => wallClockTimestamp(Date.parse(instant))

const startedRow = (
  { id, data }: AgentEventOf<'rollcall.claim.started.v1'>,
  offset: bigint,
): ClaimRow => ({
  registrationId: data.registrationId,
  attemptId: data.attemptId,
  state: 'started',
  clientName: data.clientName,
  chainId: null,
  algorithm: null,
  registeredAt: stamp(data.registeredAt),
  startedAt: stamp(data.startedAt),
  expires: stamp(data.expires),
  decidedAt: null,
  eventId: id,
  version: offset,
})

const revocationRow = (
  { id, time, data }: AgentEventOf<'rollcall.token.revoked.v1'>,
  offset: bigint,
): RevocationRow => ({
  tokenId: data.tokenId,
  kind: data.kind,
  subject: data.subject,
  revokedAt: stamp(time),
  expires: stamp(data.expires),
  eventId: id,
  version: offset,
})

/** After a decision, with the kind of wallet that signed; the wallet itself is only in the log. */
const decidedRow = (
  before: ClaimRow,
  { id, time, ...event }: AgentEventOf<'rollcall.claim.completed.v1' | 'rollcall.claim.denied.v1'>,
  offset: bigint,
): ClaimRow => {
  const decided = { ...before, decidedAt: stamp(time), eventId: id, version: offset }
  if (event.type === 'rollcall.claim.denied.v1') return { ...decided, state: 'denied' }
  const { chainId, algorithm } = event.data
  return { ...decided, state: 'completed', chainId, algorithm }
}

/** The row after an event that changes the claim. A revocation leaves the row as it is. */
const nextRow = (
  event: ClaimEvent,
  before: ClaimRow | undefined,
  offset: bigint,
): ClaimRow | undefined => {
  if (event.type === 'rollcall.claim.started.v1') return startedRow(event, offset)
  if (event.type === 'rollcall.token.revoked.v1') return before
  return before && decidedRow(before, event, offset)
}

export function createAgentFold(): AgentFold {
  const claims = new Map<string, Kept>()
  let rows: AgentRows = { claims: [], revocations: [] }
  let latest = ''

  const change = (event: ClaimEvent, offset: bigint): void => {
    const isRevoked = event.type === 'rollcall.token.revoked.v1'
    const id = isRevoked ? event.data.subject : event.data.registrationId
    const nowMs = Date.parse(event.time)
    const kept = claims.get(id)
    // As of the event's own time, so that the time of cleanup does not matter.
    const known = kept && kept.untilMs > nowMs ? kept : undefined
    const claim = decideClaim(known?.claim, event)
    const row = claim && nextRow(event, known?.row, offset)
    if (!row) return
    const isChanged = row !== known?.row
    const untilMs = isChanged ? nowMs + KEPT_MS : known.untilMs
    claims.set(id, { claim, row, offset: known?.offset ?? offset, untilMs })
    if (isChanged) rows.claims.push(row)
  }
  const prune = (): void => {
    // A day after its end: the clocks of writers differ.
    const nowMs = Date.parse(latest) - DAY_MS
    for (const [id, { untilMs }] of claims) if (untilMs <= nowMs) claims.delete(id)
  }

  return {
    apply: (event, offset) => {
      latest = event.time > latest ? event.time : latest
      switch (event.type) {
        case 'rollcall.claim.redeemed.v1':
        case 'rollcall.agent.registered.v1':
        case 'rollcall.login.advanced.v1':
          // Data against replays: no table has them.
          return
        case 'rollcall.token.revoked.v1':
          rows.revocations.push(revocationRow(event, offset))
      }
      change(event, offset)
    },
    drain: () => {
      prune()
      const drained = rows
      rows = { claims: [], revocations: [] }
      return drained
    },
    firstOffset: () => {
      const offsets = [...claims.values()].map(({ offset }) => offset)
      return offsets.reduce<bigint | undefined>(
        (first, offset) => (first === undefined || offset < first ? offset : first),
        undefined,
      )
    },
  }
}
