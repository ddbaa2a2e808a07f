// Bounds what others wrote in an event, makes the event small enough for any log, and names the parts that it left out. Pure.
// An event that still does not fit becomes an undecodable event.
import { hash } from 'node:crypto'
import { boundText, MAX_SUMMARY_BYTES, MAX_TEXT_BYTES } from '../contract/bounds.ts'
import { encodeEvent } from '../contract/codec.ts'
import type { Omission } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import { findAbciType } from '../contract/governance/fact.ts'

type Data = Record<string, unknown>

/** The smaller copy, and the parts that were removed. */
type Fitting = { data: Data; maxBytes: number; reason: string; omitted: Omission[] }

/** A part is large if it takes more than the available bytes divided by this number. */
const SHARE = 64
/** Limit of parts that are named; the others only count towards the size of the event. */
const MAX_NAMED = 100

/** Texts that a proposer, an operator or a node wrote, by member. Everything else of an event is data of the chain. */
const TEXT_BOUNDS: ReadonlyMap<string, number> = new Map([
  ['summary', MAX_SUMMARY_BYTES],
  ...['title', 'metadata', 'proposer', 'failedReason', 'log', 'reason', 'moniker', 'denom'].map(
    (name) => [name, MAX_TEXT_BYTES] as const,
  ),
])
/** Decoded content, which has limits of its own. */
const CONTENT: ReadonlySet<string> = new Set(['messages', 'observations'])

const toOmission = (path: string, value: unknown): Omission => {
  const json = JSON.stringify(value)
  return { path, bytes: Buffer.byteLength(json), sha256: hash('sha256', json, 'hex') }
}

const omit = ({ omitted }: Fitting, path: string, value: unknown): void => {
  if (omitted.length >= MAX_NAMED || omitted.some((known) => known.path === path)) return
  omitted.push(toOmission(path, value))
}

/** Shortens each text that is longer than `findLimit` says of its member. */
const shorten = (fitting: Fitting, findLimit: (key: string) => number | undefined): void => {
  const visit = (holder: Data, path: string): void => {
    for (const [key, value] of Object.entries(holder)) {
      const at = `${path}/${key}`
      const most = findLimit(key)
      if (most === undefined) continue
      if (typeof value === 'object' && value !== null) visit(value as Data, at)
      else if (typeof value === 'string' && Buffer.byteLength(value) > most) {
        omit(fitting, at, value)
        Reflect.set(holder, key, boundText(value, most))
      }
    }
  }
  visit(fitting.data, '')
}

/** Leaves out members that are large. */
const leaveOut = (fitting: Fitting, key: string, rest: null | []): boolean => {
  const { data, maxBytes } = fitting
  const value = data[key]
  if (Buffer.byteLength(JSON.stringify(value) ?? '') <= maxBytes / SHARE) return false
  omit(fitting, `/${key}`, value)
  data[key] = rest
  return true
}

const emptyList = (fitting: Fitting, key: string): void => {
  const { data, reason } = fitting
  if (!Array.isArray(data[key]) || !leaveOut(fitting, key, [])) return
  if (Array.isArray(data['unavailable'])) data['unavailable'].push({ what: key, reason })
  if ('complete' in data) Object.assign(data, { complete: false, incompleteReason: reason })
  else if (key === 'pools' && 'unavailableReason' in data) data['unavailableReason'] = reason
}

const makeNull = (fitting: Fitting, key: string, reasonKey: string): void => {
  const { data, reason } = fitting
  if (reasonKey in data && leaveOut(fitting, key, null)) data[reasonKey] = reason
}

/** A part of a proof proves nothing. */
const withoutProof = (fitting: Fitting): void => {
  const { data, reason } = fitting
  if (!('proofOps' in data || 'commit' in data) || !('reason' in data)) return
  for (const key of ['value', 'proofOps', 'header', 'commit', 'validatorsHash']) {
    if (!(key in data)) continue
    omit(fitting, `/${key}`, data[key])
    data[key] = null
  }
  data['reason'] = reason
}

const UNBOUNDED = Number.POSITIVE_INFINITY

/** In this order, until the event fits; the first one always. */
const STEPS: readonly ((fitting: Fitting) => void)[] = [
  (fitting) =>
    shorten(fitting, (key) => (CONTENT.has(key) ? undefined : (TEXT_BOUNDS.get(key) ?? UNBOUNDED))),
  withoutProof,
  (fitting) => shorten(fitting, () => Math.floor(fitting.maxBytes / SHARE)),
  ...['messages', 'observations', 'attributes', 'proposals', 'pools', 'ballots'].map(
    (key) => (fitting: Fitting) => emptyList(fitting, key),
  ),
  (fitting) => makeNull(fitting, 'proposal', 'proposalReason'),
  (fitting) => makeNull(fitting, 'params', 'unavailableReason'),
]

const toUndecodable = (
  event: GovernanceEvent,
  reason: string,
): EventOf<'rollcall.abci-event.undecodable.v1'> => {
  const { subject: _, data, ...envelope } = event
  const { proposalId: id, txHash } = data as Data
  const proposalId = typeof id === 'string' && /^[0-9]{1,20}$/.test(id) ? id : null
  return {
    ...envelope,
    ...(proposalId === null ? {} : { subject: `proposals/${proposalId}` }),
    type: 'rollcall.abci-event.undecodable.v1',
    data: {
      abciType: findAbciType(event) ?? event.type,
      attributes: [],
      proposalId,
      txHash: typeof txHash === 'string' ? txHash : null,
      reason,
      omitted: [toOmission('', data)],
      omittedReason: reason,
    },
  }
}

/** No part of a smaller event is bounded. */
export const BOUNDED_ABOVE_BYTES = MAX_TEXT_BYTES

/** The event itself if nothing in it exceeds a limit. */
export function fitEvent(event: GovernanceEvent, maxBytes: number): GovernanceEvent {
  const bytes = encodeEvent(event).length
  const isTooLarge = bytes > maxBytes
  if (!isTooLarge && bytes <= BOUNDED_ABOVE_BYTES) return event
  const reason = isTooLarge
    ? `left out: the event has ${bytes} bytes, and the log takes ${maxBytes}`
    : `left out: a text has at most ${MAX_TEXT_BYTES} bytes, and a summary ${MAX_SUMMARY_BYTES}`
  const data = structuredClone(event.data) as Data
  const omitted = [...(event.data.omitted ?? [])]
  for (const step of STEPS) {
    step({ data, maxBytes, reason, omitted })
    const named = omitted.length === 0 ? {} : { omitted, omittedReason: reason }
    const smaller = { ...event, data: { ...data, ...named } } as GovernanceEvent
    if (encodeEvent(smaller).length <= maxBytes) return smaller
  }
  return toUndecodable(event, reason)
}
