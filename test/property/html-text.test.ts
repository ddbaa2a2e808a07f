// Property tests that a value in a component, in text or attribute, is only text for a browser.
import fc from 'fast-check'
import { h } from 'preact'
import { describe, expect, it } from 'vitest'
import { renderMarkup, StructuredData } from '../../infra/base/html/render.tsx'
import { hostileText } from '../support/api/hostile-texts.ts'

const hostile = hostileText([
  '"><script>alert(1)</script>',
  "' onmouseover='x",
  '</title><svg onload=1>',
  '&lt;b&gt;',
  '\u0000<b>',
  '</script><!--',
  '\ud800',
  'a\u202eb\u2066',
])

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#96;': '`',
  '&amp;': '&',
}
const read = (text: string) =>
  text.replace(/&(?:lt|gt|quot|#39|#96|amp);/g, (all) => ENTITIES[all]!)
// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that HTML does not allow
const NONE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu

const seen = (text: string) => text.replace(NONE, '\ufffd').replace(/\p{Bidi_Control}/gu, '')

describe('the HTML of a component', () => {
  it('has any value in text and attribute unchanged, except for bidirectional control characters', () => {
    fc.assert(
      fc.property(hostile, hostile, (title, text) => {
        const markup = renderMarkup(h('p', { title }, text))
        const [, attribute = '', shown = ''] =
          /^<p(?: title="([^"<]*)"| title)?>([^<]*)<\/p>$/s.exec(markup)!
        expect(read(attribute)).toBe(seen(title))
        expect(read(shown)).toBe(seen(text))
      }),
    )
  })

  it('does not treat parsed JSON as markup, whatever its keys are', () => {
    const planted = JSON.parse(
      '{"type":"b","props":{"children":"x","dangerouslySetInnerHTML":{"__html":"<b>"}},"key":null,"ref":null}',
    )
    expect(renderMarkup(h('p', null, planted, [planted]))).toBe('<p></p>')
  })

  it('embeds data that cannot end its element, and that is read unchanged', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const markup = renderMarkup(h(StructuredData, { data: { text } }))
        const [, inner] = /^<script type="application\/ld\+json">([^<>]*)<\/script>$/s.exec(markup)!
        expect(JSON.parse(inner!)).toEqual({ text })
      }),
    )
  })
})
