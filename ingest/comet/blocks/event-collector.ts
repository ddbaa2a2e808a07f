// Collects the events of a block as they arrive, drops those without a reader, and numbers the others in execution order. A block
// gives the same events whether it arrives whole or in parts.
import { decodeText } from '../../schema/text.ts'
import {
  invalidResponse,
  list,
  type Maybe,
  type RpcBlockResults,
  type RpcEvent,
  type RpcTxResult,
} from '../transport/wire.ts'
import { type AbciAttribute, type AbciEvent, bytesOfEvent } from './block.ts'
import { PhaseSplit, type SeenEvent } from './block-phases.ts'

export type AttributeEncoding = 'base64' | 'plain'

/**
 * Keys that SDK modules write under event types that only they can emit (contracts get a `wasm` prefix). The
 * set of keys is closed, so they are better evidence than a version string.
 */
const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  active_proposal: ['proposal_id', 'proposal_result'],
  burn: ['burner', 'amount'],
  cancel_proposal: ['sender', 'proposal_id'],
  coin_received: ['receiver', 'amount'],
  coin_spent: ['spender', 'amount'],
  commission: ['amount', 'validator'],
  complete_redelegation: ['source_validator', 'destination_validator', 'delegator', 'amount'],
  complete_unbonding: ['validator', 'delegator', 'amount'],
  delegate: ['validator', 'delegator', 'amount'],
  inactive_proposal: ['proposal_id', 'proposal_result'],
  message: ['action', 'module', 'sender'],
  mint: ['bonded_ratio', 'inflation', 'annual_provisions', 'amount'],
  proposal_deposit: ['depositor', 'amount', 'proposal_id', 'voting_period_start'],
  proposal_vote: ['voter', 'option', 'proposal_id'],
  redelegate: ['source_validator', 'destination_validator', 'amount'],
  rewards: ['amount', 'validator'],
  slash: ['address', 'power', 'reason', 'jailed'],
  submit_proposal: ['proposal_id', 'proposal_type', 'proposal_messages', 'voting_period_start'],
  transfer: ['recipient', 'sender', 'amount'],
  tx: ['fee', 'fee_payer', 'acc_seq', 'signature'],
  unbond: ['validator', 'amount'],
}

/** By event type, then by key. */
const evidence = new Map<string, ReadonlyMap<string, AttributeEncoding>>()
for (const [type, keys] of Object.entries(KNOWN_KEYS)) {
  const plain = keys.map((key): [string, AttributeEncoding] => [key, 'plain'])
  const encoded = keys.map((key): [string, AttributeEncoding] => [
    Buffer.from(key).toString('base64'),
    'base64',
  ])
  evidence.set(type, new Map([...plain, ...encoded]))
}

/** The encoding that an event shows by a known key; undefined if it has none. */
export const encodingShownBy = (
  type: string,
  attributes: readonly AbciAttribute[],
): AttributeEncoding | undefined => {
  const known = evidence.get(type)
  if (!known) return undefined
  for (const { key } of attributes) {
    const shown = known.get(key)
    if (shown) return shown
  }
  return undefined
}

const toEncoding = (version: string): AttributeEncoding => {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? []
  return major === '0' && Number(minor) <= 34 ? 'base64' : 'plain'
}

export type EncodingHints = { finalizes: boolean; nodeVersion: string }

/**
 * For a block without a known key: it has no events of x/gov or x/staking. `finalize_block_events` means 0.38 or newer;
 * last by the version of the node.
 */
export const encodingByVersion = ({ finalizes, nodeVersion }: EncodingHints): AttributeEncoding =>
  finalizes ? 'plain' : toEncoding(nodeVersion)

export const decodeAttribute = (
  { key, value }: AbciAttribute,
  encoding: AttributeEncoding,
): AbciAttribute =>
  encoding === 'plain' ? { key, value } : { key: fromBase64(key), value: fromBase64(value) }

const fromBase64 = (text: string): string => decodeText(Buffer.from(text, 'base64'))

type TypedEvent = Pick<AbciEvent, 'type' | 'attributes'>

/**
 * Texts of which each event with a reader has at least one. `past`: while no reading of an open vote follows, events that move
 * stake have no reader.
 */
export type Needles = { past: readonly Buffer[]; live: readonly Buffer[] }

/**
 * Which events of a block have a reader. Events form groups: those of one transaction, and those outside of the
 * transactions.
 */
export type EventSelection = {
  /** Kept with all attributes. */
  isRead(event: TypedEvent): boolean
  /** The other events in the group of such an event are kept with their named attributes. */
  opensGroup(type: string): boolean
  isNamed(attribute: AbciAttribute): boolean
  /** Results without any of these texts have no event with a reader. */
  readonly needles: Needles
}

/** The members of `block_results` with events. */
const EVENT_LISTS = [
  'begin_block_events',
  'finalize_block_events',
  'txs_results',
  'end_block_events',
] as const
export type EventList = (typeof EVENT_LISTS)[number]

/** A block has at most 100 MiB: an event for each of its 300 bytes would take less. */
const MAX_KEPT_BYTES = 256 * 2 ** 20

/** Undecoded. `index` counts all events of the list from 0, the dropped ones too. */
type KeptEvent = TypedEvent & {
  txIndex: number | null
  index: number
  /** Kept only if its group has an event that opens it. */
  isNamedOnly: boolean
  /** By encoding; only of events in `finalize_block_events`. */
  seen: Record<AttributeEncoding, SeenEvent | undefined> | undefined
}

/** Events that follow each other in execution order. */
type Section = { phase: AbciEvent['phase']; count: number; kept: KeptEvent[] }

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

const readEvent = (event: unknown): TypedEvent => {
  if (typeof event !== 'object' || event === null)
    throw invalidResponse('an event is not an object')
  const { type, attributes } = event as RpcEvent
  const read: AbciAttribute[] = []
  for (const attribute of list(attributes, 'attributes')) {
    read.push({ key: asText(attribute?.key), value: asText(attribute?.value) })
  }
  return { type: asText(type), attributes: read }
}

const decodeEvent = (event: TypedEvent, encoding: AttributeEncoding): TypedEvent =>
  encoding === 'plain'
    ? event
    : {
        type: event.type,
        attributes: event.attributes.map((each) => decodeAttribute(each, encoding)),
      }

const BOTH_ENCODINGS: readonly AttributeEncoding[] = ['plain', 'base64']
const OUTSIDE_TXS = -1

/** Without a selection every event is kept. */
export class EventCollector {
  /** The outcome of each transaction. */
  readonly codes: number[] = []
  readonly #selection: EventSelection | undefined
  readonly #begin: Section = { phase: 'begin', count: 0, kept: [] }
  readonly #txs: Section = { phase: 'tx', count: 0, kept: [] }
  readonly #end: Section = { phase: 'end', count: 0, kept: [] }
  /** Events of both phases, until `#splits` has all of them. */
  readonly #finalized: Section = { phase: 'begin', count: 0, kept: [] }
  readonly #splits = { plain: new PhaseSplit(), base64: new PhaseSplit() }
  /** Groups with an event that opens them: the index of a transaction, or `OUTSIDE_TXS`. */
  readonly #openGroups = new Set<number>()
  /** Both until an event shows one. */
  #encodings = BOTH_ENCODINGS
  #hasType = false
  #bytes = 0
  #tx = { index: OUTSIDE_TXS, keptBefore: 0 }

  constructor(selection?: EventSelection) {
    this.#selection = selection
  }

  /** Estimated memory of everything that is kept. */
  get bytes(): number {
    return this.#bytes
  }

  /** `txIndex` is the index of the transaction in `txs_results`. */
  add(name: EventList, events: readonly unknown[], txIndex: number | null): void {
    if (events.length === 0) return
    if (txIndex !== null && txIndex !== this.#tx.index) {
      if (txIndex < this.#tx.index) throw invalidResponse('the events of a tx are out of order')
      this.#endTx()
      this.#tx = { index: txIndex, keptBefore: this.#txs.kept.length }
    }
    const section = this.#sectionOf(name)
    for (const event of events) this.#addEvent(section, readEvent(event), txIndex)
  }

  /** Adds the outcome of a transaction, and the events that were not added before. */
  addTx(result: Maybe<RpcTxResult>): void {
    this.add('txs_results', list(result?.events, 'events'), this.codes.length)
    const code = result?.code ?? 0
    if (typeof code !== 'number') throw invalidResponse('the code of a tx is not a number')
    this.codes.push(code)
  }

  /** Adds all events and transactions that are still in the response. */
  addResults(results: RpcBlockResults): void {
    for (const name of EVENT_LISTS) {
      if (name === 'txs_results') for (const each of list(results[name], name)) this.addTx(each)
      else this.add(name, list(results[name], name), null)
    }
  }

  /** All kept events in execution order. */
  takeEvents(hints: EncodingHints): AbciEvent[] {
    this.#endTx()
    const [begin, txs, end] = [this.#begin, this.#txs, this.#end]
    const count = begin.count + this.#finalized.count + txs.count + end.count
    // CometBFT 0.38 before 0.38.10 reads the results of heights before its upgrade in the wrong format: a transaction
    // becomes an event without type. Events without type are valid only beside others (dYdX).
    if (count > 0 && !this.#hasType) throw invalidResponse(`none of its ${count} events has a type`)
    const encoding = this.#encodings.length === 1 ? this.#encodings[0]! : encodingByVersion(hints)
    const finalized = this.#splitFinalized(encoding)
    const events: AbciEvent[] = []
    let before = 0
    for (const section of [begin, finalized.begin, txs, finalized.end, end]) {
      for (const kept of section.kept) {
        const { txIndex, index } = kept
        const { type, attributes } = decodeEvent(kept, encoding)
        const ordinal = before + index + 1
        const event = this.#select({ ordinal, type, attributes, phase: section.phase, txIndex })
        if (event) events.push(event)
      }
      before += section.count
    }
    return events
  }

  #sectionOf(name: EventList): Section {
    if (name === 'begin_block_events') return this.#begin
    if (name === 'end_block_events') return this.#end
    return name === 'txs_results' ? this.#txs : this.#finalized
  }

  #addEvent(section: Section, event: TypedEvent, txIndex: number | null): void {
    const { type, attributes } = event
    const index = section.count++
    this.#hasType ||= type !== ''
    if (this.#encodings.length > 1) {
      const shown = encodingShownBy(type, attributes)
      if (shown) this.#encodings = [shown]
    }
    const decoded: TypedEvent[] = []
    let seen: KeptEvent['seen']
    for (const encoding of this.#encodings) {
      const each = decodeEvent(event, encoding)
      decoded.push(each)
      if (section !== this.#finalized) continue
      seen ??= { plain: undefined, base64: undefined }
      seen[encoding] = this.#splits[encoding].add(each)
    }
    const selected = this.#selectUndecoded(event, decoded)
    if (selected) {
      const { attributes: kept, isNamedOnly } = selected
      this.#keep(section, { type, attributes: kept, isNamedOnly, txIndex, index, seen })
    }
    if (this.#selection?.opensGroup(type)) this.#openGroups.add(txIndex ?? OUTSIDE_TXS)
  }

  /** What has a reader in a possible encoding; undefined if nothing has. */
  #selectUndecoded(
    { attributes }: TypedEvent,
    decoded: readonly TypedEvent[],
  ): Pick<KeptEvent, 'attributes' | 'isNamedOnly'> | undefined {
    const selection = this.#selection
    if (!selection || decoded.some((each) => selection.isRead(each)))
      return { attributes, isNamedOnly: false }
    const named = attributes.filter((_, at) =>
      decoded.some((each) => selection.isNamed(each.attributes[at]!)),
    )
    return named.length > 0 ? { attributes: named, isNamedOnly: true } : undefined
  }

  #keep(section: Section, event: KeptEvent): void {
    section.kept.push(event)
    this.#bytes += bytesOfEvent(event)
    if (this.#bytes > MAX_KEPT_BYTES)
      throw invalidResponse(`the events of the block have more than ${MAX_KEPT_BYTES} bytes`)
  }

  /** Drops what was kept in case the group of the transaction opens. */
  #endTx(): void {
    if (!this.#selection || this.#openGroups.has(this.#tx.index)) return
    for (const event of this.#txs.kept.splice(this.#tx.keptBefore)) {
      if (event.isNamedOnly) this.#bytes -= bytesOfEvent(event)
      else this.#txs.kept.push(event)
    }
  }

  #splitFinalized(encoding: AttributeEncoding): { begin: Section; end: Section } {
    const split = this.#splits[encoding]
    const sections = {
      begin: { phase: 'begin', count: split.beginCount, kept: [] as KeptEvent[] },
      end: { phase: 'end', count: split.endCount, kept: [] as KeptEvent[] },
    } as const
    for (const event of this.#finalized.kept) {
      const { phase, index } = split.locate(event.seen![encoding]!)
      event.index = index
      sections[phase].kept.push(event)
    }
    return sections
  }

  /** Undefined if the event has a reader only in the other encoding, or only if its group had opened. */
  #select(event: AbciEvent): AbciEvent | undefined {
    const selection = this.#selection
    if (!selection || selection.isRead(event)) return event
    if (!this.#openGroups.has(event.txIndex ?? OUTSIDE_TXS)) return undefined
    const attributes = event.attributes.filter(selection.isNamed)
    return attributes.length > 0 ? { ...event, attributes } : undefined
  }
}
