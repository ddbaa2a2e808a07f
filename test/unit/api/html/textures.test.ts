// Options differ without color: each has a texture of its own, in bars, maps and strips.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { BAR_PATTERNS, bar } from '../../../../api/html/bar.ts'
import { OPTIONS } from '../../../../api/options.ts'
import { markupOf } from '../../../../infra/base/html/html.ts'

const STYLE = readFileSync(
  new URL('../../../../infra/base/html/assets/style.css', import.meta.url),
  'utf8',
)

it('each option but Yes has its own pattern, and the style sheet fills it with that pattern', () => {
  const patterns = markupOf(BAR_PATTERNS)
  const drawn = OPTIONS.filter(({ fill }) => fill !== 'yes').map(({ fill }) => {
    const content = new RegExp(`<pattern id="${fill}"[^>]*>(.*?)</pattern>`, 's').exec(patterns)
    expect(STYLE).toMatch(new RegExp(`svg \\.${fill} \\{\\s*fill: url\\("#${fill}"\\)`))
    return content?.[1]?.replaceAll(fill, '')
  })
  expect(drawn).not.toContain(undefined)
  expect(new Set(drawn).size).toBe(OPTIONS.length - 1)
})

it('a bar fills its segments by the class of their option', () => {
  const shown = markupOf(
    bar(
      OPTIONS.map(({ fill }) => ({ fill, value: 1n })),
      { whole: 4n },
    ),
  )
  for (const { fill } of OPTIONS) expect(shown).toContain(` class="${fill}"/>`)
})
