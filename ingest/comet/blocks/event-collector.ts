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

/** Keys of the SDK whose length is no multiple of four: no base64 text is equal to one. */
const KNOWN_KEYS = ['proposal_id', 'amount', 'sender', 'validator', 'delegator', 'voter', 'option']

/** Where the first events are. */
const SEARCHED_BYTES = 2 ** 20

const isKeyIn = (text: Buffer, key: string): boolean =>
  text.includes(`"key":"${key}"`) || text.includes(`"key": "${key}"`)

/**
 * The encoding of the attributes in a response to `block_results`. The nodes behind a URL may have several versions, so a known key is
 * better evidence than the version in `status`. `finalize_block_events` means 0.38 or newer.
 */
export function findEncoding(response: Buffer, nodeVersion: string): AttributeEncoding {
  const text = response.subarray(0, SEARCHED_BYTES)
  if (KNOWN_KEYS.some((key) => isKeyIn(text, key))) return 'plain'
  if (KNOWN_KEYS.some((key) => isKeyIn(text, Buffer.from(key).toString('base64')))) return 'base64'
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(nodeVersion) ?? []
  const isOld = major === '0' && Number(minor) <= 34
  return isOld && !text.includes('"finalize_block_events":') ? 'base64' : 'plain'
}

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
  /** Its reader also reads the transactions of the block. */
  needsTxs(event: TypedEvent): boolean
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

/** `index` counts all events of the list from 0, the dropped ones too. */
type KeptEvent = TypedEvent & {
  txIndex: number | null
  index: number
  /** Kept only if its group has an event that opens it. */
  isNamedOnly: boolean
  /** Only of events in `finalize_block_events`. */
  seen: SeenEvent | undefined
}

/** Events that follow each other in execution order. */
type Section = { phase: AbciEvent['phase']; count: number; kept: KeptEvent[] }

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

const readEvent = (event: unknown, encoding: AttributeEncoding): TypedEvent => {
  if (typeof event !== 'object' || event === null)
    throw invalidResponse('an event is not an object')
  const { type, attributes } = event as RpcEvent
  const decode = (value: unknown) =>
    encoding === 'plain' ? asText(value) : fromBase64(asText(value))
  const read: AbciAttribute[] = []
  for (const attribute of list(attributes, 'attributes')) {
    read.push({ key: decode(attribute?.key), value: decode(attribute?.value) })
  }
  return { type: asText(type), attributes: read }
}

const OUTSIDE_TXS = -1

/** Without a selection every event is kept. */
export class EventCollector {
  /** The outcome of each transaction. */
  readonly codes: number[] = []
  readonly #selection: EventSelection | undefined
  readonly #begin: Section = { phase: 'begin', count: 0, kept: [] }
  readonly #txs: Section = { phase: 'tx', count: 0, kept: [] }
  readonly #end: Section = { phase: 'end', count: 0, kept: [] }
  /** Events of both phases, until `#split` has all of them. */
  readonly #finalized: Section = { phase: 'begin', count: 0, kept: [] }
  readonly #split = new PhaseSplit()
  readonly #encoding: AttributeEncoding
  /** Groups with an event that opens them: the index of a transaction, or `OUTSIDE_TXS`. */
  readonly #openGroups = new Set<number>()
  #hasType = false
  #bytes = 0
  #tx = { index: OUTSIDE_TXS, keptBefore: 0 }

  constructor(selection?: EventSelection, encoding: AttributeEncoding = 'plain') {
    this.#selection = selection
    this.#encoding = encoding
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
    for (const event of events) this.#addEvent(section, readEvent(event, this.#encoding), txIndex)
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
  takeEvents(): AbciEvent[] {
    this.#endTx()
    const [begin, txs, end] = [this.#begin, this.#txs, this.#end]
    const count = begin.count + this.#finalized.count + txs.count + end.count
    // CometBFT 0.38 before 0.38.10 reads the results of heights before its upgrade in the wrong format: a transaction
    // becomes an event without type. Events without type are valid only beside others (dYdX).
    if (count > 0 && !this.#hasType) throw invalidResponse(`none of its ${count} events has a type`)
    const finalized = this.#splitFinalized()
    const events: AbciEvent[] = []
    let before = 0
    for (const section of [begin, finalized.begin, txs, finalized.end, end]) {
      for (const kept of section.kept) {
        const { type, attributes, txIndex, index } = kept
        if (kept.isNamedOnly && !this.#openGroups.has(txIndex ?? OUTSIDE_TXS)) continue
        const ordinal = before + index + 1
        events.push({ ordinal, type, attributes, phase: section.phase, txIndex })
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
    const { type } = event
    const index = section.count++
    this.#hasType ||= type !== ''
    const seen = section === this.#finalized ? this.#split.add(event) : undefined
    const selected = this.#selectFrom(event)
    if (selected) this.#keep(section, { type, ...selected, txIndex, index, seen })
    if (this.#selection?.opensGroup(type)) this.#openGroups.add(txIndex ?? OUTSIDE_TXS)
  }

  /** What has a reader; undefined if nothing has. */
  #selectFrom(event: TypedEvent): Pick<KeptEvent, 'attributes' | 'isNamedOnly'> | undefined {
    const selection = this.#selection
    const { attributes } = event
    if (!selection || selection.isRead(event)) return { attributes, isNamedOnly: false }
    const named = attributes.filter(selection.isNamed)
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

  #splitFinalized(): { begin: Section; end: Section } {
    const split = this.#split
    const sections = {
      begin: { phase: 'begin', count: split.beginCount, kept: [] as KeptEvent[] },
      end: { phase: 'end', count: split.endCount, kept: [] as KeptEvent[] },
    } as const
    for (const event of this.#finalized.kept) {
      const { phase, index } = split.locate(event.seen!)
      event.index = index
      sections[phase].kept.push(event)
    }
    return sections
  }
}
