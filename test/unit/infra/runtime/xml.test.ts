// Texts of strangers inside XML.
import { describe, expect, it } from 'vitest'
import { element, xmlText } from '../../../../infra/runtime/xml.ts'

describe('XML', () => {
  it('shows letters that XML has no place for as such, and marks as text', () => {
    expect(xmlText('a\u0000b\ud800c\ufffe<&>"\'\r\n投🗳')).toBe(
      'a\ufffdb\ufffdc\ufffd&lt;&amp;&gt;&quot;&#39;&#13;\n投🗳',
    )
  })

  it('leaves out attributes without a value, and closes what has no content', () => {
    expect(element('a', { b: '"', c: null })).toBe('<a b="&quot;"/>')
    expect(element('a', {}, 'x')).toBe('<a>x</a>')
  })
})
