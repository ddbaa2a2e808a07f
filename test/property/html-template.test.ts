// Property tests that a value in an HTML template, in text or attribute, is only text for a browser.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html, jsonBlock, markupOf } from '../../infra/base/html/html.ts'
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

describe('an HTML template', () => {
  it('keeps any value in text and attribute unchanged, except for bidirectional control characters', () => {
    fc.assert(
      fc.property(hostile, hostile, (title, text) => {
        const markup = markupOf(html`<p title="${title}">${text}</p>`)
        const [, attribute, shown] = /^<p title="([^"<>]*)">([^<>]*)<\/p>$/s.exec(markup) ?? []
        expect(read(attribute!)).toBe(seen(title))
        expect(read(shown!)).toBe(seen(text))
      }),
    )
  })

  it('does not treat parsed JSON as markup, whatever its keys are', () => {
    const planted = JSON.parse('{"html":"<b>","Symbol(markup)":"<b>","toString":"<b>"}') as string
    expect(() => markupOf(html`${planted}`)).toThrow()
  })

  it('nests markup and lists, and writes nothing for absent values', () => {
    const rows = ['<a>', '<b>'].map((text) => html`<li>${text}</li>`)
    expect(markupOf(html`<ul>${rows}${null}${undefined}${false}${0}</ul>`)).toBe(
      '<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li>0</ul>',
    )
  })

  it('continues a line that ends with a backslash without a line break', () => {
    const markup = html`<p class="a" \
id="${'b'}">${'c'}\
</p>
`
    expect(markupOf(markup)).toBe('<p class="a" id="b">c</p>\n')
  })

  it('refuses a value in a tag outside quotes', () => {
    expect(() => html`<a href=${'x'}>`).toThrow('outside quotes')
    expect(() => html`<a title="a" ${'x'}>`).toThrow('outside quotes')
    expect(() => html`<${'x'}>`).toThrow('outside quotes')
    expect(() => html`<a${['x']}>`).toThrow('outside quotes')
    expect(markupOf(html`<a${html` hidden`}${null}>`)).toBe('<a hidden>')
    expect(() => html`<a title="a > b" href="${'x'}">${'y'}</a>`).not.toThrow()
  })

  it('embeds data that cannot end its element, and that is read unchanged', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const markup = markupOf(jsonBlock('application/ld+json', { text }))
        const [, inner] = /^<script type="application\/ld\+json">([^<>]*)<\/script>$/s.exec(markup)!
        expect(JSON.parse(inner!)).toEqual({ text })
      }),
    )
  })
})
