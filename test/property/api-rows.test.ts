// The items of a list stand in its JSON and in its lines of JSON to the byte, whatever they say.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatJson, formatNdjson } from '../../api/formats/rows.ts'
import { hostileWord } from '../support/api/hostile-texts.ts'

const MARKS = ['"', '\\', '\\"', '},{', '],"page":', '[', '{', '\u2028', '\n', '1e400']
const hostile = hostileWord(MARKS)
const item = fc.dictionary(
  hostile,
  fc.oneof(hostile, fc.json().map(JSON.parse), fc.bigInt().map(String)),
)

const facts = {
  page: { totalItems: 7, nextCursor: null },
  links: { self: '/api/x?q=%5D', next: null },
  asOf: { chainId: 'test-1', height: 1, time: '2026-11-21T00:00:00.000Z' },
}
const stored = { columns: null, line: (text: string) => text }

describe('a list', () => {
  it('is its items as they are, and what stands around them', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const texts = items.map((each) => JSON.stringify(each))
        const body = { items: texts, ...facts }
        expect(formatJson(stored, body)).toBe(JSON.stringify({ items, ...facts }))
        expect(formatNdjson(stored, body).text.split('\n').slice(0, -1)).toEqual(texts)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps numbers that no number of ours could hold, and puts an item of several lines on one', () => {
    const texts = ['{"amount":123456789012345678901234567890.10}', '{\n"a":\r\n[1, 2]}']
    const { text } = formatNdjson(stored, { items: texts, ...facts })
    expect(text).toBe(`${texts[0]}\n{ "a": [1, 2]}\n`)
  })
})
