// Tests of own texts in HTML: their marks become elements, and all else is escaped.
import { expect, it } from 'vitest'
import { renderInline } from '../../../../api/document/html/render.ts'
import { readMarks } from '../../../../api/document/marked-text.ts'
import { markupOf } from '../../../../infra/base/html/html.ts'

it.each([
  ['<b title="x">&', '&lt;b title=&quot;x&quot;&gt;&amp;'],
  [
    '`<i>` and **<b>**, **`a` b**',
    '<code>&lt;i&gt;</code> and <strong>&lt;b&gt;</strong>, <strong><code>a</code> b</strong>',
  ],
])('%s', (text, markup) => {
  expect(markupOf(renderInline(readMarks(text), { baseUrl: '', params: {} }))).toBe(markup)
})
