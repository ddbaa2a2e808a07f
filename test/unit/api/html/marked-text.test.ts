// Tests of own texts in HTML: their marks become elements, and all else is escaped.
import { expect, it } from 'vitest'
import { toHtml } from '../../../../api/html/marked-text.ts'
import { html, markupOf } from '../../../../infra/base/html/html.ts'

it.each([
  ['<b title="x">&', '&lt;b title=&quot;x&quot;&gt;&amp;'],
  [
    '`<i>` and **<b>**, **`a` b**',
    '<code>&lt;i&gt;</code> and <strong>&lt;b&gt;</strong>, <strong><code>a</code> b</strong>',
  ],
])('%s', (text, markup) => {
  expect(markupOf(html`${toHtml(text)}`)).toBe(markup)
})
