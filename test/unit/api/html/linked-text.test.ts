// Tests which parts of an untrusted text are links.
import { describe, expect, it } from 'vitest'
import { linkedText } from '../../../../api/html/linked-text.ts'
import { markupOf } from '../../../../infra/base/html/html.ts'

const linksIn = (text: string): string[] =>
  [...markupOf(linkedText(text)).matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url)

describe('an untrusted text', () => {
  it.each([
    ['https://forum.example.org/t/4.json', 'https://forum.example.org/t/4.json'],
    ['ipfs://bafybeigdyrzt5sfp7', 'ipfs://bafybeigdyrzt5sfp7'],
    ['See http://a.example/x?y=1#z, please.', 'http://a.example/x?y=1#z'],
    ['(https://a.example/b)', 'https://a.example/b'],
    ['{"proposal_forum_url":"https://a.example/t/1"}', 'https://a.example/t/1'],
    ['HTTPS://A.EXAMPLE/x', 'HTTPS://A.EXAMPLE/x'],
    ['https://a.example/?a=1&b=2', 'https://a.example/?a=1&amp;b=2'],
  ])('%s has a link', (text, url) => {
    expect(linksIn(text)).toEqual([url])
  })

  it.each([
    'javascript:alert(1)',
    'javascript://a.example/%0aalert(1)',
    'data:text/html,<b>x</b>',
    'file:///etc/passwd',
    '//a.example',
    'https://',
    'https://user:password@a.example/',
    'https://a.example/cut…',
  ])('%s has no link', (text) => {
    expect(linksIn(text)).toEqual([])
  })

  it('is text without markup', () => {
    const shown = markupOf(linkedText('<img src=x> https://a.example/"onclick="x'))
    expect(shown).toContain('&lt;img src=x&gt;')
    expect(linksIn('https://a.example/"onclick="x')).toEqual(['https://a.example/'])
    expect(shown).toContain('rel="nofollow noopener ugc"')
  })
})
