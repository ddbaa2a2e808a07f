// Forms without repeated parameters.
import { expect, it } from 'vitest'
import { parseStrictForm } from '../../../../../infra/base/http/bodies.ts'

it('a form has each parameter once, and an empty one counts as absent', () => {
  const parsed = parseStrictForm('a=1&b=&c=%20d')
  if (!parsed.ok) throw new Error(parsed.reason)
  expect(['a', 'b', 'c', 'd'].map(parsed.form)).toEqual(['1', undefined, ' d', undefined])
})

it('a repeated parameter is refused, also if one of both is empty', () => {
  expect(parseStrictForm('a=&a=1')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('more than once'),
  })
})

it('a form has at most 32 parameters', () => {
  const write = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&')
  expect(parseStrictForm(write(32)).ok).toBe(true)
  expect(parseStrictForm(write(33))).toMatchObject({
    ok: false,
    reason: expect.stringContaining('at most 32'),
  })
})
