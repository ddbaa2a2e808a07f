// A text of the chain in any field adds no element and no attribute to HTML pages, and no markup to Markdown. An independent parser
// reads the Markdown.

import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { type ComponentChildren, h } from 'preact'
import { describe, expect, it } from 'vitest'
import { ballotsPage } from '../../api/pages/ballots.tsx'
import { homePage } from '../../api/pages/home.tsx'
import { proposalPage } from '../../api/pages/proposal/page.tsx'
import { proposalsPage } from '../../api/pages/proposals.tsx'
import { writeSearch } from '../../api/pages/search.tsx'
import { renderMarkdown } from '../../api/view/markdown.ts'
import { Link, Quoted } from '../../api/view/parts.tsx'
import { plainLine } from '../../api/words/texts.ts'
import { hostileText } from '../support/api/hostile-texts.ts'
import {
  ballotsData,
  homeData,
  listData,
  proposalData,
  searchData,
} from '../support/api/html-data.ts'
import { toHtmlPage } from '../support/api/render-pages.ts'

const hostile = hostileText([
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
  '## x',
  '- ',
  '1. ',
  '```',
  '~~~',
  '|',
  '| - |',
  '---',
  '===',
  '\\',
  '\\|',
  '&lt;',
  '&#60;',
  'https://evil.example',
  'www.evil.example',
  'a@evil.example',
  'mailto:a@b.c',
  '**',
  '_',
  '~~',
  '\u2028',
  '\t',
  '    code',
  ']( ',
])

/** Every element of the pages and of rendered Markdown. */
const ELEMENTS = new Set(
  `html head meta title link script body header a div nav ul ol li form label input button main q h1 h2 h3 h4 h5 h6 p
  section article span strong em s bdi time data code pre blockquote hr br dl dt dd wbr table caption thead tbody tfoot tr
  th td details summary figure figcaption select option footer svg g defs desc pattern rect circle path line text aside`.split(
    /\s+/,
  ),
)
const TAG = /^<\/?([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*(?:="[^"<]*")?)*) ?\/?>/
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

describe('a text of the chain in HTML', { tags: 'api:chain-texts-stay-text' }, () => {
  it('stays text on the page of its proposal', () => {
    const run = (text: string) => wrongIn(toHtmlPage(proposalPage)(proposalData(text), AT))
    fc.assert(
      fc.property(hostile, (text) => void expect(run(text)).toEqual([])),
      { numRuns: 400 },
    )
  })

  it('stays text in lists, in the search field, and on the front page', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(wrongIn(toHtmlPage(proposalsPage)(listData(text), AT))).toEqual([])
        expect(wrongIn(toHtmlPage(homePage)(homeData(text), AT))).toEqual([])
        expect(wrongIn(toHtmlPage({ write: writeSearch })(searchData(text), AT))).toEqual([])
        expect(wrongIn(toHtmlPage(ballotsPage)(ballotsData(text), AT))).toEqual([])
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

const parser = new MarkdownIt({ html: true, linkify: true })

const write = (...nodes: readonly ComponentChildren[]): string =>
  renderMarkdown([...nodes], { baseUrl: '', params: {} })

/** As a page shows a text of others, and as it is. */
const shown = (text: string, otherwise = ''): readonly ComponentChildren[] => [
  h(Quoted, { text, otherwise }),
  text,
]

type Token = { type: string; content: string; children?: Token[] | null }

/** The text of one inline node. Null if the node contains anything else. */
const textIn = (token: Token | undefined): string | null => {
  const children = token?.children ?? []
  const isText = children.every(({ type }) => type === 'text' || type === 'text_special')
  return token && isText ? children.map(({ content }) => content).join('') : null
}
const toTokenTypes = (tokens: readonly Token[]): string[] => tokens.map(({ type }) => type)

describe('a text of the chain in Markdown', { tags: 'api:chain-texts-stay-text' }, () => {
  it('in a heading gives exactly that heading', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const each of shown(text)) {
          const tokens = parser.parse(write(h('h1', null, 'A: ', each)), {}) as Token[]
          expect(toTokenTypes(tokens)).toEqual(['heading_open', 'inline', 'heading_close'])
          expect(textIn(tokens[1])).toBe(`A: ${plainLine(text)}`.trim())
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('in a list gives one item with one paragraph', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const item = h('li', null, h(Quoted, { text, otherwise: 'none' }))
        const tokens = parser.parse(write(h('ul', null, item)), {}) as Token[]
        expect(toTokenTypes(tokens)).toEqual([
          'bullet_list_open',
          'list_item_open',
          'paragraph_open',
          'inline',
          'paragraph_close',
          'list_item_close',
          'bullet_list_close',
        ])
        expect(textIn(tokens[3])).toBe(plainLine(text) || 'none')
      }),
      { numRuns: 2_000 },
    )
  })

  it('in a table gives one cell, and does not change the adjacent cells', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const toRow = (...cells: readonly string[]) =>
          h(
            'tr',
            null,
            cells.map((text) => h('td', null, text)),
          )
        const rows = [toRow('a', 'b', 'c'), toRow(one, other, 'end')]
        const tokens = parser.parse(write(h('table', null, rows)), {}) as Token[]
        const cells = tokens.filter(({ type }) => type === 'inline').map(textIn)
        expect(cells).toEqual(['a', 'b', 'c', plainLine(one), plainLine(other), 'end'])
        expect(tokens.filter(({ type }) => type === 'tr_open')).toHaveLength(2)
      }),
      { numRuns: 2_000 },
    )
  })

  it('as the text of a link keeps the target of the link', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const link = h(Link, { to: '/proposals/1', children: `x ${text}` })
        const [, place] = parser.parse(write(h('p', null, link)), {}) as Token[]
        const children = place?.children ?? []
        expect(children[0]).toMatchObject({ type: 'link_open', attrs: [['href', '/proposals/1']] })
        expect(children.at(-1)?.type).toBe('link_close')
        expect(textIn({ type: 'inline', content: '', children: children.slice(1, -1) })).toBe(
          plainLine(`x ${text}`),
        )
      }),
      { numRuns: 2_000 },
    )
  })

  it('of many lines gives one code block with the intended end', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const blocks = write(h('pre', null, text), h('p', null, 'after'))
        const tokens = parser.parse(blocks, {}) as Token[]
        expect(toTokenTypes(tokens)).toEqual([
          'fence',
          'paragraph_open',
          'inline',
          'paragraph_close',
        ])
        expect(tokens[0]?.content).not.toMatch(/\p{Bidi_Control}|(?!\n)\p{Cc}/u)
        expect(textIn(tokens[2])).toBe('after')
      }),
      { numRuns: 2_000 },
    )
  })
})
