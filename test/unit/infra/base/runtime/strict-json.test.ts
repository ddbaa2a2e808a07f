// Tests of JSON bodies: a member twice is refused wherever it is and however its name is written.
import { describe, expect, it } from 'vitest'
import { MAX_JSON_DEPTH, parseStrictJson } from '../../../../../infra/base/runtime/strict-json.ts'

describe('JSON of a body', () => {
  it.each([
    '{"type":"x","type":"anonymous"}',
    '{"type":"x","type":"x"}',
    '{"a":[{"b":{"id":1}},{"id":[],"c":"}","id":2}]}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":"\\"{\\\\","b":[1,"b"],"b":0}',
    '[{"a":{},"b":[],\n"a" :null}]',
    '{"a:b":1,"a:b":2}',
    '{"":1,"":2}',
  ])('%s is refused', (text) => {
    const reason = 'has an object with a member more than once.'
    expect(parseStrictJson(text)).toEqual({ ok: false, isJson: true, reason })
  })

  it.each([
    '{"a":"a","b":{"a":{"a":"b"}},"c":["a","a","c",{"a":1},{"a":1}]}',
    '{"a":",","b":"\\"a\\":","A":["{","{"]}',
    '["x","x"]',
    '"x"',
    '7',
    ' { } ',
  ])('%s is read as it is', (text) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  it('may be nested to a limit, in objects and in arrays', () => {
    const nest = (open: string, close: string, depth: number) =>
      parseStrictJson(`${open.repeat(depth)}1${close.repeat(depth)}`)
    for (const [open, close] of [
      ['{"a":', '}'],
      ['[', ']'],
    ] as const) {
      expect(nest(open, close, MAX_JSON_DEPTH).ok).toBe(true)
      for (const depth of [MAX_JSON_DEPTH + 1, 10_000]) {
        const reason = `is nested deeper than ${MAX_JSON_DEPTH} levels.`
        expect(nest(open, close, depth)).toEqual({ ok: false, isJson: true, reason })
      }
    }
  })

  it.each(['', '{', '{"a":1,}', 'undefined', '{"a"}'])('%j is refused', (text) => {
    expect(parseStrictJson(text)).toEqual({ ok: false, isJson: false, reason: 'must be JSON.' })
  })
})
