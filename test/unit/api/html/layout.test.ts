// Metadata of a page for search engines, feed readers and link previews.
import { expect, it } from 'vitest'
import { paragraph } from '../../../../api/document/tree.ts'
import { renderHtml } from '../../../../api/html/layout.ts'

const PAGE = {
  title: 'A "title"',
  description: '<d>',
  path: '/pools?page=0',
  blocks: [paragraph('x')],
}
const at = (baseUrl: string) => ({ baseUrl, params: {} })

it('a page has one canonical URL if a public URL is configured, and none otherwise', () => {
  const known = renderHtml(PAGE, at('https://gov.example.org'))
  expect(known).toContain('<link rel="canonical" href="https://gov.example.org/pools">')
  expect(known).toContain('<meta property="og:url" content="https://gov.example.org/pools">')
  expect(renderHtml(PAGE, at(''))).not.toMatch(/canonical|og:url/)
})

it('a link preview has the title and the description of the page as text', () => {
  const page = renderHtml(PAGE, at(''))
  expect(page).toContain('<meta property="og:title" content="A &quot;title&quot;">')
  expect(page).toContain('<meta property="og:description" content="&lt;d&gt;">')
  expect(page).toContain('type="application/atom+xml" title="Proposals" href="/feed.atom"')
})

it('structured data cannot end its script element early', () => {
  const page = renderHtml({ ...PAGE, data: { name: '</script><script>alert(1)</script>' } }, at(''))
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  expect(JSON.parse(data)).toEqual({ name: '</script><script>alert(1)</script>' })
})
