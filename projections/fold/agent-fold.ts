// Folds agent events into rows of `claims` and `revocations`. Pure: the same events in the same order give the same rows, from
// any start that is not after `firstOffset`.
import type { AgentEvent, AgentEventOf } from '../../auth/contract/claims.ts'
import type { ClaimRow, RevocationRow } from '../contract/agent-rows.ts'
import { wallClockTimestamp } from './timestamps.ts'

export type AgentRows = { claims: ClaimRow[]; revocations: RevocationRow[] }

export type AgentFold = {
  apply(event: AgentEvent, offset: bigint): void
  /** The rows since the last call. */
  drain(): AgentRows
  /** First offset of the kept state; undefined if there is none. */
  firstOffset(): bigint | undefined
}

/** `untilMs`: after it no event can follow, because no token lives longer. */
type Kept = { row: ClaimRow; offset: bigint; untilMs: number; isRevoked?: boolean }

const DAY_MS = 24 * 60 * 60_000
/** A registration can be claimed for at most a week. */
const KEPT_MS = 8 * DAY_MS

const stamp = (instant: string): string => wallClockTimestamp(Date.parse(instant))

const startedRow = (
  { id, data }: AgentEventOf<'rollcall.claim.started.v1'>,
  offset: bigint,
): ClaimRow => ({
  registration_id: data.registrationId,
  attempt_id: data.attemptId,
  state: 'started',
  client_name: data.clientName,
  chain_id: null,
  algorithm: null,
  registered_at: stamp(data.registeredAt),
  started_at: stamp(data.startedAt),
  expires: stamp(data.expires),
  decided_at: null,
  event_id: id,
  version: offset.toString(),
})

const revocationRow = (
  { id, time, data }: AgentEventOf<'rollcall.token.revoked.v1'>,
  offset: bigint,
): RevocationRow => ({
  token_id: data.tokenId,
  kind: data.kind,
  subject: data.subject,
  revoked_at: stamp(time),
  expires: stamp(data.expires),
  event_id: id,
  version: offset.toString(),
})

/** The kind of wallet that signed; the wallet itself is only in the log. */
const signedPart = (event: Decision): Partial<ClaimRow> => {
  if (event.type === 'rollcall.claim.denied.v1') return { state: 'denied' }
  const { chainId, algorithm } = event.data
  return { state: 'completed', chain_id: chainId, algorithm }
}

type Decision = AgentEventOf<'rollcall.claim.completed.v1' | 'rollcall.claim.denied.v1'>

export const createAgentFold = (): AgentFold => {
  const claims = new Map<string, Kept>()
  let rows: AgentRows = { claims: [], revocations: [] }

  /** As of the event's own time, so that the time of cleanup does not matter. */
  const findLive = (registrationId: string, time: string): Kept | undefined => {
    const kept = claims.get(registrationId)
    return kept && kept.untilMs > Date.parse(time) ? kept : undefined
  }
  const put = (row: ClaimRow, kept: Omit<Kept, 'row'>) => {
    claims.set(row.registration_id, { row, ...kept })
    rows.claims.push(row)
  }
  const start = (event: AgentEventOf<'rollcall.claim.started.v1'>, offset: bigint) => {
    const known = findLive(event.data.registrationId, event.time)
    if (known?.row.state === 'completed') return
    const untilMs = Date.parse(event.time) + KEPT_MS
    put(startedRow(event, offset), { offset: known?.offset ?? offset, untilMs })
  }
  /** The newest attempt of its registration, if it is neither denied nor completed. */
  const decide = (event: Decision, offset: bigint) => {
    const { registrationId, attemptId } = event.data
    const known = findLive(registrationId, event.time)
    if (known?.row.state !== 'started' || known.row.attempt_id !== attemptId) return
    if (known.isRevoked) return
    const row: ClaimRow = {
      ...known.row,
      ...signedPart(event),
      decided_at: stamp(event.time),
      event_id: event.id,
      version: offset.toString(),
    }
    put(row, { offset: known.offset, untilMs: Date.parse(event.time) + KEPT_MS })
  }
  /** An attempt that started before its registration was revoked cannot be completed. */
  const endAttempt = ({ data }: AgentEventOf<'rollcall.token.revoked.v1'>) => {
    const known = claims.get(data.subject)
    if (known && data.kind === 'identity_assertion') known.isRevoked = true
  }
  const prune = (time: string) => {
    // A day after its end: the clocks of writers differ.
    const nowMs = Date.parse(time) - DAY_MS
    for (const [id, { untilMs }] of claims) if (untilMs <= nowMs) claims.delete(id)
  }

  let latest = ''
  return {
    apply: (event, offset) => {
      latest = event.time > latest ? event.time : latest
      switch (event.type) {
        case 'rollcall.claim.started.v1':
          return start(event, offset)
        case 'rollcall.claim.completed.v1':
        case 'rollcall.claim.denied.v1':
          return decide(event, offset)
        case 'rollcall.token.revoked.v1':
          endAttempt(event)
          rows.revocations.push(revocationRow(event, offset))
          return
        case 'rollcall.claim.redeemed.v1':
          return
        case 'rollcall.agent.registered.v1':
          // Of agents of an identity provider, only data against replays is kept: no table has them.
          return
      }
    },
    drain: () => {
      if (latest !== '') prune(latest)
      const drained = rows
      rows = { claims: [], revocations: [] }
      return drained
    },
    firstOffset: () => {
      let first: bigint | undefined
      for (const { offset } of claims.values()) {
        if (first === undefined || offset < first) first = offset
      }
      return first
    },
  }
}
