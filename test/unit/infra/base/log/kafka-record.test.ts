// Which fetched records a reader sees: committed ones with a height, even if other writers write between them.
import { expect, it } from 'vitest'
import {
  committedRecords,
  type FetchedMessage,
  toKafkaMessage,
} from '../../../../../infra/base/log/kafka-reader.ts'

type RecordFields = Partial<FetchedMessage> & { offset: string; producerId?: string }

const record = ({ producerId = '1', ...fields }: RecordFields): FetchedMessage => ({
  timestamp: '1700000000000',
  key: null,
  value: Buffer.from(`at ${fields.offset}`),
  headers: { height: Buffer.from('7') },
  isControlRecord: false,
  batchContext: { producerId, inTransaction: true },
  ...fields,
})

const marker = (offset: number, kind: 'abort' | 'commit', producerId = '1'): FetchedMessage =>
  record({
    offset: String(offset),
    producerId,
    isControlRecord: true,
    key: Buffer.from([0, 0, 0, kind === 'abort' ? 0 : 1]),
    headers: {},
  })

const records = (from: number, to: number, producerId = '1'): FetchedMessage[] =>
  Array.from({ length: to - from + 1 }, (_, at) =>
    record({ offset: String(from + at), producerId }),
  )

const readOffsets = (
  messages: readonly FetchedMessage[],
  aborted: { producerId: string; firstOffset: string }[] = [],
  from = 0n,
) => committedRecords(messages, aborted, from).map(({ offset }) => Number(offset))

it('returns height, time and bytes as they were appended', () => {
  const value = Uint8Array.of(1, 2, 3)
  const { headers, timestamp, value: sent } = toKafkaMessage({ height: 9, timeMs: 1_234, value })
  const height = Buffer.from(String(headers?.['height']))
  const fetched = record({
    offset: '3',
    timestamp: timestamp!,
    value: sent as Buffer,
    headers: { height },
  })
  expect(committedRecords([fetched], [], 0n)).toEqual([
    { offset: 3n, height: 9, timeMs: 1_234, value: Buffer.from(value) },
  ])
})

it('marks each record as a CloudEvent in structured mode, and reads records without the mark', () => {
  const value = Uint8Array.of(1)
  const { headers } = toKafkaMessage({ height: 7, timeMs: 1, value })
  expect(headers).toEqual({ 'content-type': 'application/cloudevents+json', height: '7' })
  expect(readOffsets([record({ offset: '3' })])).toEqual([3])
})

it('skips markers, and records of a batch before the requested offset', () => {
  expect(readOffsets([...records(0, 3), marker(4, 'commit')], [], 2n)).toEqual([2, 3])
})

it('skips aborted records, and only those', () => {
  const messages = [
    ...records(0, 1),
    marker(2, 'commit'),
    ...records(3, 4),
    marker(5, 'abort'),
    ...records(6, 6),
    marker(7, 'abort'),
    ...records(8, 8),
    marker(9, 'commit'),
  ]
  const aborted = [
    { producerId: '1', firstOffset: '3' },
    { producerId: '1', firstOffset: '6' },
  ]
  expect(readOffsets(messages, aborted)).toEqual([0, 1, 8])
})

it('skips aborted records of two transactions that are open at the first fetched record', () => {
  const messages = [
    ...records(10, 10, '2'),
    ...records(11, 11, '1'),
    ...records(12, 12, '3'),
    marker(13, 'abort', '1'),
    marker(14, 'abort', '2'),
    ...records(15, 15, '1'),
  ]
  const aborted = [
    { producerId: '1', firstOffset: '4' },
    { producerId: '2', firstOffset: '5' },
  ]
  expect(readOffsets(messages, aborted, 10n)).toEqual([12, 15])
})

it('keeps a record whose key looks like an abort marker', () => {
  const key = Buffer.from([0, 0, 0, 0])
  const messages = [record({ offset: '3', key }), record({ offset: '4' }), marker(5, 'abort')]
  expect(readOffsets(messages, [{ producerId: '1', firstOffset: '3' }])).toEqual([])
  expect(readOffsets(messages)).toEqual([3, 4])
})

it.each([
  ['no height', record({ offset: '3', headers: {} })],
  ['an empty height', record({ offset: '3', headers: { height: '' } })],
  ['no value', record({ offset: '3', value: null })],
])('refuses a record with %s, and reports its offset', (_, message) => {
  expect(() => committedRecords([message], [], 0n)).toThrow(/offset 3/)
})
