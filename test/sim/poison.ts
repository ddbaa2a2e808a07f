// Inserts undecodable records into heights: foreign bytes, unknown types and invalid facts.
import type { LogEntry } from '../../infra/base/log/event-log.ts'
import { decodeEvent } from '../../ingest/contract/codec.ts'
import { ORDINAL, SUB_LIMIT } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { submitted } from '../support/log/governance-events.ts'
import type { Dice } from './dice.ts'

/** Their envelopes name one proposal. */
export const NAMED_POISONS = ['unknown type', 'wrong data', 'nested too deep'] as const
/** Their subject is unknown. */
export const ILLEGIBLE_POISONS = [
  'no UTF-8',
  'no JSON',
  'cut off',
  'no envelope',
  'no time there is',
] as const
export type Poison = (typeof NAMED_POISONS)[number] | (typeof ILLEGIBLE_POISONS)[number]

export type Poisoned = {
  heights: LogEntry[][]
  /** The proposal of all poisons with a subject. */
  proposalId: string
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Deeper than any stack: parsing does not recurse, but serialization does. */
const NESTING = 20_000
const NESTED = `${'['.repeat(NESTING)}${']'.repeat(NESTING)}`
const FOREIGN = Uint8Array.of(0xc3, 0x28, 0xff)
const NO_TIME_MS = 1e300
export const UNKNOWN_PROPOSAL = '999999'

const decodeEntry = ({ value }: LogEntry): GovernanceEvent => {
  const decoded = decodeEvent(value)
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.event
}

/** After all other records of the height, so that no position repeats. */
const computePositionAfter = (height: readonly LogEntry[]) => {
  const { height: number, time, source } = decodeEntry(height[0]!)
  const last = decodeEntry(height.at(-2) ?? height[0]!)
  // Not among the events of past votes: a refused one of them opens no proposal.
  const after = Math.max(last.index + 1, ORDINAL.after * SUB_LIMIT)
  const index = Math.min(after, ORDINAL.marker * SUB_LIMIT - 1)
  return {
    height: number,
    time,
    index,
    id: `${source.slice('/chains/'.length)}/${number}/${index}`,
  }
}

const createPoisonText = (
  kind: Poison,
  height: readonly LogEntry[],
  proposalId: string,
): string => {
  const position = computePositionAfter(height)
  const event = { ...submitted(proposalId)(position.height, 1), ...position }
  switch (kind) {
    case 'unknown type':
      return JSON.stringify({ ...event, type: 'rollcall.proposal.renamed.v1', data: {} })
    case 'wrong data':
      return JSON.stringify({ ...event, data: { ...event.data, messages: 'none' } })
    case 'nested too deep': {
      const messages = [{ '@type': '/deep.Message', inner: 'HERE' }]
      const text = JSON.stringify({ ...event, data: { ...event.data, messages } })
      return text.replace('"HERE"', NESTED)
    }
    case 'no envelope':
      return JSON.stringify({ ...event, specversion: '9' })
    case 'cut off':
      return JSON.stringify(event).slice(0, 100)
    default:
      return `what is ${kind}?`
  }
}

const createPoisonEntry = (
  kind: Poison,
  height: readonly LogEntry[],
  proposalId: string,
): LogEntry => {
  const { height: number, timeMs } = height[0]!
  const value = kind === 'no UTF-8' ? FOREIGN : bytes(createPoisonText(kind, height, proposalId))
  return { height: number, timeMs: kind === 'no time there is' ? NO_TIME_MS : timeMs, value }
}

type Submission = { proposalId: string; at: number }

const submissionsIn = (heights: readonly LogEntry[][]): Submission[] =>
  heights.flatMap((height, at) =>
    height
      .map(decodeEntry)
      .flatMap(({ type, data }) =>
        type === 'rollcall.proposal.submitted.v1' ? [{ proposalId: data.proposalId, at }] : [],
      ),
  )

/** One poison of each kind, each in a random height of its own, before the marker. */
export const poison = (
  dice: Dice,
  heights: readonly LogEntry[][],
  kinds: readonly Poison[],
): Poisoned => {
  const candidates = submissionsIn(heights).filter(({ at }) => at + kinds.length <= heights.length)
  const named = dice.pick(candidates, 'poisoned proposal')
  const poisonByHeight = new Map<number, LogEntry>()
  for (const kind of kinds) {
    // The nested record names an unknown proposal, the others a known one.
    const proposalId = kind === 'nested too deep' ? UNKNOWN_PROPOSAL : named.proposalId
    const heightsLeft = heights.length - named.at
    let at = named.at + dice.roll(heightsLeft, 'poison', kind)
    while (poisonByHeight.has(at)) at = at + 1 < heights.length ? at + 1 : named.at
    poisonByHeight.set(at, createPoisonEntry(kind, heights[at]!, proposalId))
  }
  return {
    heights: heights.map((height, at) => {
      const entry = poisonByHeight.get(at)
      return entry ? [...height.slice(0, -1), entry, ...height.slice(-1)] : height
    }),
    proposalId: named.proposalId,
  }
}
