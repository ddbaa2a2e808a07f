// Tests of external text in XML.
import { describe, expect, it } from 'vitest'
import { xmlText } from '../../../../../infra/base/runtime/xml.ts'

describe('XML', () => {
  it('replaces characters that XML does not allow, and escapes markup', () => {
    expect(xmlText('a\u0000b\ud800c\ufffe<&>"\'\r\n投🗳')).toBe(
      'a\ufffdb\ufffdc\ufffd&lt;&amp;&gt;&quot;&#39;&#13;\n投🗳',
    )
  })
})
