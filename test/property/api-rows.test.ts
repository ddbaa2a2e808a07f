// Property tests: the items of a list have the same bytes in JSON and in NDJSON, and no cell of CSV is a formula.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCsv, formatJson, formatNdjson } from '../../api/formats/rows.ts'
import { keepLines } from '../../api/resources/list.ts'
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
const stored = (texts: readonly string[]) => {
  const body = { items: texts.map((text) => JSON.parse(text)), ...facts }
  keepLines(body.items, texts)
  return body
}

describe('a list in JSON and NDJSON', () => {
  it('has its items unchanged, and the envelope around them', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const texts = items.map((each) => JSON.stringify(each))
        const body = stored(texts)
        expect(formatJson(body).text).toBe(JSON.stringify({ items, ...facts }))
        expect(formatNdjson(body).text.split('\n').slice(0, -1)).toEqual(texts)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps numbers beyond the precision of JavaScript, and puts an item of several lines on one line', () => {
    const texts = ['{"amount":123456789012345678901234567890.10}', '{\n"a":\r\n[1, 2]}']
    const { text } = formatNdjson(stored(texts))
    expect(text).toBe(`${texts[0]}\n{ "a": [1, 2]}\n`)
  })
})

/** What a spreadsheet executes, except for a plain number. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

describe('a cell of CSV', () => {
  it('is no formula, and is the text again without its escapes', () => {
    const starts = ['=', '+1', '-1', '-1+1', '@', '\t', '\r', "'", '＝', '"', ',', '\r\n']
    fc.assert(
      fc.property(hostileWord(starts), (text) => {
        const [, quoted = ''] = /^"a"\r\n"([\s\S]*)"\r\n$/.exec(formatCsv(['a'], [[text]])) ?? []
        const cell = quoted.replaceAll('""', '"')
        expect(FORMULA.test(cell) && !PLAIN_NUMBER.test(cell)).toBe(false)
        expect(cell.replace(/^'/, '')).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })
})
