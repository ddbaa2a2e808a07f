// Property tests of external text in Markdown, checked with an independent parser.
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { fenced, inline, link, plainLine, table } from '../../api/markdown/text.ts'
import { hostileText } from '../support/api/hostile-texts.ts'

const parser = new MarkdownIt({ html: true, linkify: true })

const EVIL = [
  '# ',
  '## x',
  '- ',
  '1. ',
  '> ',
  '```',
  '~~~',
  '|',
  '| - |',
  '---',
  '===',
  '\\',
  '\\|',
  '\n\n',
  '<script>alert(1)</script>',
  '<!--',
  '&lt;',
  '&#60;',
  '![x](https://a.example)',
  '[a]: b',
  'https://evil.example',
  'www.evil.example',
  'a@evil.example',
  'mailto:a@b.c',
  '**',
  '_',
  '~~',
  '\u202e',
  '\u2066',
  '\u2028',
  '\u0000',
  '\ud800',
  '\t',
  '    code',
  ']( ',
  '<https://a.b>',
  '`',
]
const hostile = hostileText(EVIL)

type Token = { type: string; content: string; children?: Token[] | null }

/** The text of one inline node. Null if the node contains anything else. */
const textIn = (token: Token | undefined): string | null => {
  const children = token?.children ?? []
  const isText = children.every(({ type }) => type === 'text' || type === 'text_special')
  return token && isText ? children.map(({ content }) => content).join('') : null
}
const toTokenTypes = (tokens: readonly Token[]): string[] => tokens.map(({ type }) => type)

describe('a hostile text', () => {
  it('in a heading gives exactly that heading', { tags: 'api:chain-texts-stay-text' }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const tokens = parser.parse(`# A: ${inline(text)}\n`, {}) as Token[]
        expect(toTokenTypes(tokens)).toEqual(['heading_open', 'inline', 'heading_close'])
        expect(textIn(tokens[1])).toBe(`A: ${plainLine(text)}`.trim())
      }),
      { numRuns: 2_000 },
    )
  })

  it('in a list gives one item with one paragraph', { tags: 'api:chain-texts-stay-text' }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const tokens = parser.parse(`- ${inline(text) || 'none'}\n`, {}) as Token[]
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

  it('in a table gives one cell, and does not change the adjacent cells', {
    tags: 'api:chain-texts-stay-text',
  }, () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const text = table(['a', 'b', 'c'], [[inline(one), inline(other), 'end']])
        const tokens = parser.parse(text, {}) as Token[]
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
        const [, place] = parser.parse(link(`x ${text}`, '/proposals/1'), {}) as Token[]
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
        const tokens = parser.parse(`${fenced(text)}\n\nafter\n`, {}) as Token[]
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
