// A list's JSON taken apart is what was put together, to the byte, whatever its items say.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readList } from '../../api/formats/list-text.ts'
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
const listOf = (texts: readonly string[]): string =>
  `{"items":[${texts.join(',')}],${JSON.stringify(facts).slice(1)}`

describe('a list', () => {
  it('is its items as they stand there, and what stands around them', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const texts = items.map((each) => JSON.stringify(each))
        expect(readList(listOf(texts))).toEqual({ items: texts, facts })
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps numbers that no number of ours could hold, and puts an item of several lines on one', () => {
    const texts = ['{"amount":123456789012345678901234567890.10}', '{\n"a":\r\n[1, 2]}']
    expect(readList(listOf(texts)).items).toEqual([texts[0], '{ "a": [1, 2]}'])
  })

  it.each(['', '{}', '{"items":[{"a":1}', '{"items":["a', '[1]'])('%s is none', (text) => {
    expect(() => readList(text)).toThrow()
  })
})
