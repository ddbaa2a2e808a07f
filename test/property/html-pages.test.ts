// Property tests that external text in any field adds no element and no attribute to HTML pages.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ballotsHtml } from '../../api/html/ballots.ts'
import { homeHtml } from '../../api/html/home.ts'
import { proposalHtml } from '../../api/html/proposal.ts'
import { proposalsHtml } from '../../api/html/proposals.ts'
import { searchHtml } from '../../api/html/search.ts'
import { hostileText } from '../support/api/hostile-texts.ts'
import {
  ballotsData,
  homeData,
  listData,
  proposalData,
  searchData,
} from '../support/api/html-data.ts'

const EVIL = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onclick='x",
  '<!--',
  ']]>',
  '![x](https://evil.example/p.png)',
  '[x](javascript:alert(1))',
  '[x](/api/agent "t")',
  '[x](data:text/html,1)',
  '<https://evil.example>',
  '# ',
  '\n\n',
  '```html\n',
  '| a |\n| - |\n',
  '</title>',
  '</textarea>',
  '&lt;b&gt;',
  '\u202e',
  '\u2066',
  '\u0000',
  '\ud800',
  '`',
  '{{x}}',
  '- a\n',
  '1. b\n',
  '> ',
  '[a]: https://evil.example "x"\n',
  'https://evil.example/"onx="',
  '__',
]
const hostile = hostileText(EVIL)

/** Every element of the pages and of rendered Markdown. */
const ELEMENTS = new Set(
  `html head meta title link script body header a div nav ul ol li form label input button main q h1 h2 h3 h4 h5 h6 p
  section article span strong em s bdi time data code pre blockquote hr br dl dt dd wbr table caption thead tbody tfoot tr
  th td details summary figure figcaption select option footer svg g defs desc pattern rect circle path line text aside`.split(
    /\s+/,
  ),
)
const TAG = /^<\/?([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*) ?\/?>/
const SAFE_LINK = /^(?:\/(?!\/)|#|https?:\/\/|mailto:)/

/** The errors of a page. Empty if every tag is one of ours. */
const wrongIn = (page: string): string[] => {
  const wrong: string[] = []
  for (let at = page.indexOf('<', 1); at >= 0; at = page.indexOf('<', at + 1)) {
    const [tag, name = '', attributes = ''] = TAG.exec(page.slice(at, at + 20_000)) ?? []
    if (tag === undefined) wrong.push(`no tag: ${page.slice(at, at + 60)}`)
    else if (!ELEMENTS.has(name)) wrong.push(`element ${name}`)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([\w-]+)(?:="([^"]*)")?/g)) {
      if (/^(?:on|style|srcdoc|formaction|ping)/i.test(attribute)) wrong.push(attribute)
      if (attribute === 'src' && !value.startsWith('/assets/')) wrong.push(`src ${value}`)
      if (attribute === 'href' && !SAFE_LINK.test(value)) wrong.push(`href ${value}`)
    }
    if (
      name === 'a' &&
      /href="(?:http|mailto)/.test(attributes) &&
      !attributes.includes('rel="nofollow noopener ugc"')
    ) {
      wrong.push(`link without rel: ${tag}`)
    }
  }
  if (/\p{Bidi_Control}/u.test(page)) wrong.push('bidirectional control character')
  return wrong
}

const AT = { baseUrl: '', params: {}, unit: { name: 'ROLL', denom: 'uroll', decimals: 6 } }

describe('external text', () => {
  it('stays text on the page of its proposal', { tags: 'api:chain-texts-stay-text' }, () => {
    const run = (text: string) => wrongIn(proposalHtml(proposalData(text), AT))
    fc.assert(
      fc.property(hostile, (text) => void expect(run(text)).toEqual([])),
      { numRuns: 400 },
    )
  })

  it('stays text in lists, in the search field, and on the front page', {
    tags: 'api:chain-texts-stay-text',
  }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(wrongIn(proposalsHtml(listData(text), AT))).toEqual([])
        expect(wrongIn(homeHtml(homeData(text), AT))).toEqual([])
        expect(wrongIn(searchHtml(searchData(text), AT))).toEqual([])
        expect(wrongIn(ballotsHtml(ballotsData(text), AT))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('would be found if it were not escaped', () => {
    expect(wrongIn('<!doctype html><p><img src="x"></p>')).toEqual(['element img', 'src x'])
    expect(wrongIn('x<p onclick="x">')).toEqual(['onclick'])
    expect(wrongIn('x<a href="javascript:1">')).toEqual(['href javascript:1'])
    expect(wrongIn('x < y')).toHaveLength(1)
  })
})
