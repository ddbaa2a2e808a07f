// Bounds what others wrote in an event, makes the event small enough for any log, and names the parts that it left out. Pure.
// It shortens texts first, then removes members that may be null with a reason. An event that still does not fit becomes an
// undecodable event.
import { hash } from 'node:crypto'
import {
  boundMessageTypes,
  boundText,
  MAX_SUMMARY_BYTES,
  MAX_TEXT_BYTES,
} from '../contract/bounds.ts'
import { encodeEvent } from '../contract/codec.ts'
import type { Omission } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { Message, ProposalState } from '../contract/facts.ts'
import { findAbciType } from '../contract/governance/fact.ts'

type Data = Record<string, unknown>

/** The smaller copy, and the parts that were removed. */
type Fitting = { data: Data; maxBytes: number; reason: string; omitted: Omission[] }

/** A part is large if it takes more than the available bytes divided by this number. */
const SHARE = 64
/** Limit of parts that are named; the others only count towards the size of the event. */
const MAX_NAMED = 100

const omit = ({ omitted }: Fitting, path: string, value: unknown): void => {
  if (omitted.length >= MAX_NAMED || omitted.some((known) => known.path === path)) return
  const json = JSON.stringify(value)
  omitted.push({ path, bytes: Buffer.byteLength(json), sha256: hash('sha256', json, 'hex') })
}

const isLarge = ({ maxBytes }: Fitting, value: unknown): boolean =>
  Buffer.byteLength(JSON.stringify(value) ?? '') > maxBytes / SHARE

/** Possible locations of messages: in a proposal, or in each proposal of a snapshot. */
const messageLists = (data: Data): { path: string; holder: Data }[] => {
  const proposals = Array.isArray(data['proposals']) ? (data['proposals'] as Data[]) : []
  return [
    { path: '', holder: data },
    ...proposals.map((holder, at) => ({ path: `/proposals/${at}`, holder })),
  ].filter(({ holder }) => Array.isArray(holder['messages']))
}

const shortenMessages = (fitting: Fitting): void => {
  const most = fitting.maxBytes / SHARE
  for (const { path, holder } of messageLists(fitting.data)) {
    holder['messages'] = (holder['messages'] as Message[]).map((message, at) => {
      if (!isLarge(fitting, message)) return message
      omit(fitting, `${path}/messages/${at}`, message)
      return { '@type': message['@type'].slice(0, most / 2), reason: fitting.reason }
    })
  }
}

/** Every long text, at any depth. */
const shortenTexts = (fitting: Fitting): void => {
  const most = Math.floor(fitting.maxBytes / SHARE)
  const visit = (holder: Data | unknown[], path: string): void => {
    for (const [key, value] of Object.entries(holder)) {
      const at = `${path}/${key}`
      if (typeof value === 'string' && value.length > most) {
        omit(fitting, at, value)
        Reflect.set(holder, key, boundText(value, most))
      } else if (typeof value === 'object' && value !== null) visit(value as Data, at)
    }
  }
  visit(fitting.data, '')
}

/** Texts that a proposer, an operator or a node wrote, by member. Everything else of an event is data of the chain. */
const TEXT_BOUNDS: ReadonlyMap<string, number> = new Map([
  ['summary', MAX_SUMMARY_BYTES],
  ...['title', 'metadata', 'proposer', 'failedReason', 'log', 'reason', 'moniker', 'denom'].map(
    (name) => [name, MAX_TEXT_BYTES] as const,
  ),
])
/** Decoded content, which has limits of its own. */
const CONTENT: ReadonlySet<string> = new Set(['messages', 'observations'])

const boundTypes = (holder: Data): void => {
  const types = holder as Pick<ProposalState, 'messageTypes'>
  const bounded = boundMessageTypes(types)
  if (bounded.messageTypes.length < types.messageTypes.length) Object.assign(holder, bounded)
}

const boundParts = (fitting: Fitting): void => {
  const visit = (holder: Data, path: string): void => {
    if (Array.isArray(holder['messageTypes'])) boundTypes(holder)
    for (const [key, value] of Object.entries(holder)) {
      const at = `${path}/${key}`
      const most = TEXT_BOUNDS.get(key)
      if (typeof value === 'string') {
        if (most === undefined || Buffer.byteLength(value) <= most) continue
        omit(fitting, at, value)
        holder[key] = boundText(value, most)
      } else if (typeof value === 'object' && value !== null && !CONTENT.has(key)) {
        visit(value as Data, at)
      }
    }
  }
  visit(fitting.data, '')
}

const LISTS = ['messages', 'attributes', 'proposals', 'pools', 'ballots'] as const

/** The reason for a missing list. */
const giveReason = ({ data, reason }: Fitting, key: string): void => {
  if (Array.isArray(data['unavailable'])) data['unavailable'].push({ what: key, reason })
  if ('complete' in data) Object.assign(data, { complete: false, incompleteReason: reason })
  else if (key === 'pools' && 'unavailableReason' in data) data['unavailableReason'] = reason
}

const emptyList =
  (key: (typeof LISTS)[number]) =>
  (fitting: Fitting): void => {
    const value = fitting.data[key]
    if (!Array.isArray(value) || !isLarge(fitting, value)) return
    omit(fitting, `/${key}`, value)
    fitting.data[key] = []
    giveReason(fitting, key)
  }

const NULLABLE = [
  ['proposal', 'proposalReason'],
  ['params', 'unavailableReason'],
] as const

const makeNull =
  ([key, reasonKey]: (typeof NULLABLE)[number]) =>
  (fitting: Fitting): void => {
    const { data, reason } = fitting
    if (!(reasonKey in data) || !isLarge(fitting, data[key])) return
    omit(fitting, `/${key}`, data[key])
    Object.assign(data, { [key]: null, [reasonKey]: reason })
  }

/** A part of a proof proves nothing. */
const PROOF_PARTS = ['value', 'proofOps', 'header', 'commit', 'validatorsHash'] as const

const withoutProof = (fitting: Fitting): void => {
  const { data, reason } = fitting
  if (!('proofOps' in data || 'commit' in data) || !('reason' in data)) return
  for (const key of PROOF_PARTS) {
    if (!(key in data)) continue
    omit(fitting, `/${key}`, data[key])
    data[key] = null
  }
  data['reason'] = reason
}

/** In this order, until the event fits; the first one always. */
const steps: readonly ((fitting: Fitting) => void)[] = [
  boundParts,
  withoutProof,
  shortenMessages,
  shortenTexts,
  ...LISTS.map(emptyList),
  ...NULLABLE.map(makeNull),
]

const readId = ({ proposalId }: Data): string | null =>
  typeof proposalId === 'string' && /^[0-9]{1,20}$/.test(proposalId) ? proposalId : null

const toUndecodable = (
  event: GovernanceEvent,
  omission: Omission,
  reason: string,
): EventOf<'rollcall.abci-event.undecodable.v1'> => {
  const data = event.data as Data
  const { specversion, id, source, time, datacontenttype, height, index } = event
  const proposalId = readId(data)
  const txHash = typeof data['txHash'] === 'string' ? data['txHash'] : null
  return {
    specversion,
    id,
    source,
    time,
    datacontenttype,
    height,
    index,
    ...(proposalId === null ? {} : { subject: `proposals/${proposalId}` }),
    type: 'rollcall.abci-event.undecodable.v1',
    data: {
      abciType: findAbciType(event) ?? event.type,
      attributes: [],
      proposalId,
      txHash,
      reason,
      omitted: [omission],
      omittedReason: reason,
    },
  }
}

/** No part of a smaller event is bounded. */
export const BOUNDED_ABOVE_BYTES = MAX_TEXT_BYTES

/** The event itself if nothing in it exceeds a limit. */
export const fitEvent = (event: GovernanceEvent, maxBytes: number): GovernanceEvent => {
  const bytes = encodeEvent(event).length
  const isTooLarge = bytes > maxBytes
  if (!isTooLarge && bytes <= BOUNDED_ABOVE_BYTES) return event
  const reason = isTooLarge
    ? `left out: the event has ${bytes} bytes, and the log takes ${maxBytes}`
    : `left out: a text has at most ${MAX_TEXT_BYTES} bytes, and a summary ${MAX_SUMMARY_BYTES}`
  const data = structuredClone(event.data) as Data
  const fitting: Fitting = { data, maxBytes, reason, omitted: [...(event.data.omitted ?? [])] }
  const { omitted } = fitting
  for (const step of steps) {
    step(fitting)
    const named = omitted.length === 0 ? {} : { omitted, omittedReason: reason }
    const smaller = { ...event, data: { ...data, ...named } } as GovernanceEvent
    if (encodeEvent(smaller).length <= maxBytes) return smaller
  }
  const whole: Fitting = { data, maxBytes, reason, omitted: [] }
  omit(whole, '', event.data)
  return toUndecodable(event, whole.omitted[0]!, reason)
}
