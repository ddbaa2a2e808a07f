// Tests that text of the chain is decoded as Go's `encoding/json` prints it, wherever it comes from.

import { BinaryWriter } from 'cosmjs-types/binary'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proposalAt } from '../../../../ingest/chain/gov.ts'
import { legacyText } from '../../../../ingest/chain/proposal-content.ts'
import { decodeAttribute } from '../../../../ingest/comet/blocks/event-collector.ts'
import { builtInSchema } from '../../../../ingest/schema/built-in.ts'
import { decodeAny } from '../../../../ingest/schema/message-json.ts'
import { decodeText } from '../../../../ingest/schema/text.ts'
import { nodeWith } from '../../../support/chain/node-with.ts'

const field = (no: number, value: Uint8Array) =>
  new BinaryWriter()
    .uint32((no << 3) | 2)
    .bytes(value)
    .finish()

describe('text of the chain', () => {
  // Each second column is what `json.Marshal(string(bytes))` prints in Go, without quotes.
  it.each<[string, number[], string]>([
    ['a byte that begins no character', [0x43, 0xff, 0xfe, 0x41], 'C\ufffd\ufffdA'],
    ['Latin-1', [...Buffer.from('São', 'latin1')], 'S\ufffdo'],
    ['a character of three bytes, cut after two', [0xe2, 0x82, 0x41], '\ufffd\ufffdA'],
    ['a character of four bytes, cut after three', [0xf0, 0x9f, 0x98], '\ufffd\ufffd\ufffd'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    ['an overlong form', [0xc0, 0x80, 0xe0, 0x80, 0x80], '\ufffd'.repeat(5)],
    ['a number beyond Unicode', [0xf4, 0x90, 0x80, 0x80], '\ufffd'.repeat(4)],
    ['a character that is U+FFFD', [0xef, 0xbf, 0xbd, 0x80], '\ufffd\ufffd'],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x41], '\ufeffA'],
    ['a NUL', [0x00, 0x41], '\u0000A'],
  ])('has U+FFFD for each byte that is no UTF-8, and all other bytes: %s', (_, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes))).toBe(text)
  })

  it('keeps every character between bytes that are no UTF-8', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const bytes = texts.flatMap((text) => [0xff, ...Buffer.from(text)])
        expect(decodeText(Uint8Array.from(bytes))).toBe(
          texts.map((text) => `\ufffd${text}`).join(''),
        )
      }),
    )
  })

  it('is the same in the state, in legacy content, in messages and in events', async () => {
    const bytes = Buffer.from([0x43, 0xe2, 0x82])
    const text = 'C\ufffd\ufffd'
    const node = nodeWith({ '/cosmos.gov.v1.Query/Proposal': () => field(1, field(11, bytes)) })
    expect(await proposalAt(node, '1', 5)).toMatchObject({ value: { proposal: { title: text } } })
    expect(legacyText({ typeUrl: '/a', value: field(1, bytes) }).title).toBe(text)
    const send = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: field(3, field(1, bytes)) }
    expect(decodeAny(builtInSchema(), send).json).toMatchObject({ amount: [{ denom: text }] })
    const event = { key: '', value: bytes.toString('base64') }
    expect(decodeAttribute(event, 'base64').value).toBe(text)
  })
})
