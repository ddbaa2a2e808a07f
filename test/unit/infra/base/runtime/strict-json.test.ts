// Tests of JSON bodies: a member twice is refused wherever it is and however its name is written.
import { describe, expect, it } from 'vitest'
import { parseStrictJson } from '../../../../../infra/base/runtime/strict-json.ts'

describe('JSON of a body', () => {
  it.each([
    '{"type":"x","type":"x"}',
    '{"a":[{"b":{"id":1}},{"id":[],"c":"}","id":2}]}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":"\\"{\\\\","b":[1,"b"],"b":0}',
    '[{"a":{},"b":[],\n"a" :null}]',
    '{"":1,"":2}',
  ])('%s is refused', (text) => {
    const reason = 'has an object with a member more than once.'
    expect(parseStrictJson(text)).toEqual({ ok: false, isJson: true, reason })
  })

  it.each([
    '{"a":"a","b":{"a":{"a":"b"}},"c":["a","a","c",{"a":1},{"a":1}]}',
    '{"a":",","b":"\\"a\\":","A":["{","{"]}',
  ])('%s is read as it is', (text) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })
})
