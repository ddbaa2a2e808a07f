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

/** The kind of wallet that signed; the wallet itself is only in the log. */
const signedPart = (event: Decision): Partial<ClaimRow> => {
  if (event.type === 'rollcall.claim.denied.v1') return {}
  const { chainId, algorithm } = event.data
  return { chainId, algorithm }
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
  /** The claim after the event; undefined if the event changes nothing. */
  const change = (registrationId: string, event: ClaimEvent) => {
    const known = findLive(registrationId, event.time)
    const claim = decideClaim(known?.claim, event)
    return claim && { known, claim }
  }
  const put = (kept: Omit<Kept, 'untilMs'>, time: string) => {
    claims.set(kept.row.registrationId, { ...kept, untilMs: Date.parse(time) + KEPT_MS })
    rows.claims.push(kept.row)
  }
  const start = (event: AgentEventOf<'rollcall.claim.started.v1'>, offset: bigint) => {
    const changed = change(event.data.registrationId, event)
    if (!changed) return
    const { known, claim } = changed
    put({ claim, row: startedRow(event, offset), offset: known?.offset ?? offset }, event.time)
  }
  const decide = (event: Decision, offset: bigint) => {
    const changed = change(event.data.registrationId, event)
    if (!changed?.known) return
    const { known, claim } = changed
    const row: ClaimRow = {
      ...known.row,
      ...signedPart(event),
      state: claim.state,
      decidedAt: stamp(event.time),
      eventId: event.id,
      version: offset,
    }
    put({ claim, row, offset: known.offset }, event.time)
  }
  const revoke = (event: AgentEventOf<'rollcall.token.revoked.v1'>) => {
    const known = claims.get(event.data.subject)
    const claim = decideClaim(known?.claim, event)
    if (known && claim) known.claim = claim
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
          revoke(event)
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
