// Bounds what others wrote in an event, makes the event small enough for any log, and names the parts that it left out. Pure.
// An event that still does not fit becomes an undecodable event.
import { hash } from 'node:crypto'
import { boundText, MAX_SUMMARY_BYTES, MAX_TEXT_BYTES } from '../contract/bounds.ts'
import { encodeEvent } from '../contract/codec.ts'
import type { Omission } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import { findAbciType } from '../contract/governance/fact.ts'

type Data = Record<string, unknown>

/** A part is large if it takes more than the available bytes divided by this number. */
const SHARE = 64
/** Limit of parts that are named; the others only count towards the size of the event. */
const MAX_NAMED = 100

/** Texts that a proposer, an operator or a node wrote, by member. Everything else of an event is data of the chain. */
const TEXT_BOUNDS: ReadonlyMap<string, number> = new Map([
  ['summary', MAX_SUMMARY_BYTES],
  ...[
    'title',
    'metadata',
    'memo',
    'proposer',
    'failedReason',
    'log',
    'reason',
    'moniker',
    'website',
    'details',
    'identity',
    'denom',
  ].map((name) => [name, MAX_TEXT_BYTES] as const),
])
/** Decoded content, which has limits of its own. */
const CONTENT: ReadonlySet<string> = new Set(['messages', 'observations'])

const findTextBound = (key: string): number | undefined =>
  CONTENT.has(key) ? undefined : (TEXT_BOUNDS.get(key) ?? Number.POSITIVE_INFINITY)

/** No part of a smaller event is bounded. */
export const BOUNDED_ABOVE_BYTES = MAX_TEXT_BYTES

/** Members that are left out together, what they become, and the member that says why. */
type Part = { keys: readonly string[]; rest: null | []; why?: string }

/** A part of a proof proves nothing. */
const PROOF: Part = {
  keys: ['value', 'proofOps', 'header', 'commit', 'validatorsHash'],
  rest: null,
  why: 'reason',
}
/** In this order, until the event fits. */
const PARTS: readonly Part[] = [
  ...['messages', 'observations', 'attributes', 'proposals', 'pools', 'ballots'].map(
    (key): Part => ({ keys: [key], rest: [] }),
  ),
  { keys: ['proposal'], rest: null, why: 'proposalReason' },
  { keys: ['params'], rest: null, why: 'incompleteReason' },
]

const toOmission = (path: string, value: unknown): Omission => {
  const json = JSON.stringify(value)
  return { path, bytes: Buffer.byteLength(json), sha256: hash('sha256', json, 'hex') }
}

const omit = (omitted: Omission[], path: string, value: unknown): void => {
  if (omitted.length >= MAX_NAMED || omitted.some((known) => known.path === path)) return
  omitted.push(toOmission(path, value))
}

type Fitting = { data: Data; omitted: Omission[]; reason: string }

/** Shortens each text that is longer than `findLimit` says of its member. */
const shorten = ({ data, omitted }: Fitting, findLimit: (key: string) => number | undefined) => {
  const visit = (holder: Data, path: string): void => {
    for (const [key, value] of Object.entries(holder)) {
      const at = `${path}/${key}`
      const most = findLimit(key)
      if (most === undefined) continue
      if (typeof value === 'object' && value !== null) visit(value as Data, at)
      else if (typeof value === 'string' && Buffer.byteLength(value) > most) {
        omit(omitted, at, value)
        Reflect.set(holder, key, boundText(value, most))
      }
    }
  }
  visit(data, '')
}

/** Leaves out a part with more than `minBytes`. */
const leaveOut = ({ data, omitted, reason }: Fitting, part: Part, minBytes: number): void => {
  const { rest, why } = part
  const keys = part.keys.filter((key) => data[key] !== undefined && data[key] !== null)
  const [first] = keys
  if (first === undefined || (why !== undefined && !(why in data))) return
  if (Buffer.byteLength(JSON.stringify(data[first])) <= minBytes) return
  for (const key of keys) {
    omit(omitted, `/${key}`, data[key])
    data[key] = rest
  }
  if (why !== undefined) data[why] = reason
  if (Array.isArray(data['unavailable'])) data['unavailable'].push({ what: first, reason })
  if ('complete' in data) Object.assign(data, { complete: false, incompleteReason: reason })
}

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

/** The event itself if nothing in it exceeds a limit. */
export function fitEvent(event: GovernanceEvent, maxBytes: number): GovernanceEvent {
  const bytes = encodeEvent(event).length
  const isTooLarge = bytes > maxBytes
  if (!isTooLarge && bytes <= BOUNDED_ABOVE_BYTES) return event
  const reason = isTooLarge
    ? `left out: the event has ${bytes} bytes, and the log takes ${maxBytes}`
    : `left out: a text has at most ${MAX_TEXT_BYTES} bytes, and a summary ${MAX_SUMMARY_BYTES}`
  const omitted = [...(event.data.omitted ?? [])]
  const fitting: Fitting = { data: structuredClone(event.data) as Data, omitted, reason }
  const share = Math.floor(maxBytes / SHARE)
  for (const step of [
    () => shorten(fitting, findTextBound),
    () => leaveOut(fitting, PROOF, 0),
    () => shorten(fitting, () => share),
    ...PARTS.map((part) => () => leaveOut(fitting, part, share)),
  ]) {
    step()
    const named = omitted.length === 0 ? {} : { omitted, omittedReason: reason }
    const smaller = { ...event, data: { ...fitting.data, ...named } } as GovernanceEvent
    if (encodeEvent(smaller).length <= maxBytes) return smaller
  }
  return toUndecodable(event, reason)
}
