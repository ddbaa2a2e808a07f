// Tests that Markdown whose cost grows too fast is bounded.
import { h } from 'preact'
import { expect, test } from 'vitest'
import { Prose } from '../../../../api/view/prose.tsx'
import { renderMarkup } from '../../../../infra/base/html/render.tsx'

const show = (text: string): string => renderMarkup(h(Prose, { of: text }))

const count = (text: string, part: string) => text.split(part).length - 1

test.each([
  ['quotes', '> '.repeat(2_000), '<blockquote>'],
  ['lists', '- '.repeat(2_000), '<ul>'],
  ['quotes with lists', '> - '.repeat(1_000), '<blockquote>'],
])('Nested %s end at a depth of 20.', (_what, markers, tag) => {
  const shown = show(`${markers}deep\n${'more\n'.repeat(100)}`)
  expect(count(shown, tag)).toBeLessThanOrEqual(20)
  expect(shown).toContain('deep')
})

test('A table with very many cells is shown as text, and a usual one as a table.', () => {
  const wide = `${'|a'.repeat(3_000)}\n${'|-'.repeat(3_000)}\n${'a\n'.repeat(500)}`
  expect(show(wide)).not.toContain('<table')
  expect(show('|a|b|\n|-|-|\n|c|d|')).toContain('<table')
})
