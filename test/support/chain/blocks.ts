// Creates blocks for tests: ABCI events by phase, numbered in the order of execution.
import { createHash } from 'node:crypto'
import type { AbciEvent, Block } from '../../../ingest/comet/block.ts'

type Attributes = Readonly<Record<string, string>> | readonly (readonly [string, string])[]
export type EventSketch = readonly [type: string, attributes: Attributes]
export type TxSketch = { events: readonly EventSketch[]; code?: number; bytes?: Uint8Array }
export type BlockSketch = {
  begin?: readonly EventSketch[]
  txs?: readonly TxSketch[]
  end?: readonly EventSketch[]
  time?: string
  chainId?: string
  changesValidators?: boolean
  /** The first block of the chain. */
  firstHeight?: number
}

const hex = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex').toUpperCase()

export const timeAt = (height: number): string =>
  new Date(Date.UTC(2026, 0, 1) + height * 6_000).toISOString()

const listed = (attributes: Attributes) =>
  (Array.isArray(attributes) ? attributes : Object.entries(attributes)).map(([key, value]) => ({
    key: key as string,
    value: value as string,
  }))

type AbciPosition = Pick<AbciEvent, 'phase' | 'txIndex'>

export const createBlock = (height: number, sketch: BlockSketch = {}): Block => {
  const { begin = [], txs = [], end = [], firstHeight = 1 } = sketch
  const placed: [EventSketch, AbciPosition][] = [
    ...begin.map((event): [EventSketch, AbciPosition] => [
      event,
      { phase: 'begin', txIndex: null },
    ]),
    ...txs.flatMap(({ events }, txIndex) =>
      events.map((event): [EventSketch, AbciPosition] => [event, { phase: 'tx', txIndex }]),
    ),
    ...end.map((event): [EventSketch, AbciPosition] => [event, { phase: 'end', txIndex: null }]),
  ]
  return {
    chainId: sketch.chainId ?? 'test-1',
    height,
    time: sketch.time ?? timeAt(height),
    hash: hex(`block ${height}`),
    previousHash: height === firstHeight ? '' : hex(`block ${height - 1}`),
    txs: txs.map(({ bytes, code }, index) => {
      const content = bytes ?? Buffer.from(`tx ${height}/${index}`)
      return { hash: hex(content), bytes: content, code: code ?? 0 }
    }),
    events: placed.map(([[type, attributes], place], index) => ({
      ordinal: index + 1,
      type,
      attributes: listed(attributes),
      ...place,
    })),
    changesValidators: sketch.changesValidators ?? false,
  }
}
