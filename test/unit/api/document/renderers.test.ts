// The renderers of a document: every kind of part as HTML, as Markdown and as plain text.
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import * as asHtml from '../../../../api/document/html/render.ts'
import type { Inline } from '../../../../api/document/line.ts'
import * as asMarkdown from '../../../../api/document/markdown/render.ts'
import * as asText from '../../../../api/document/text.ts'
import type { Block } from '../../../../api/document/tree.ts'
import { markupOf } from '../../../../infra/base/html/html.ts'
import { everyBlock, everyInline } from '../../../support/api/every-part.ts'

const AT = { baseUrl: '', params: {}, unit: { name: 'ROLL', denom: 'uroll', decimals: 6 } }

type Rendered = readonly [html: string, markdown: string, text: string]

const renderLine = (value: Inline): Rendered => [
  markupOf(asHtml.renderInline(value, AT)),
  asMarkdown.renderInline(value, AT),
  asText.renderInline(value, AT),
]

const renderBlock = (block: Block): Rendered => [
  markupOf(asHtml.renderBlocks([block], AT)),
  asMarkdown.renderBlocks([block], AT),
  asText.renderBlocks([block], AT),
]

const LINES: Readonly<Record<string, Rendered>> = {
  quoted: ['<bdi dir="auto">a_b</bdi>', 'a\\_b', 'a_b'],
  code: ['<code class="code" dir="ltr">a_b</code>', 'a\\_b', 'a_b'],
  command: ['<code>GET /api</code>', '`GET /api`', 'GET /api'],
  link: ['<a href="/pools"><bdi dir="auto">a_b</bdi></a>', '[a\\_b](</pools>)', 'a_b (/pools)'],
  anchor: ['<a href="#votes"><bdi dir="auto">a_b</bdi></a>', 'a\\_b', 'a_b'],
  strong: ['<strong><bdi dir="auto">a_b</bdi></strong>', '**a\\_b**', 'a_b'],
  soft: ['<span class="soft"><bdi dir="auto">a_b</bdi></span>', 'a\\_b', 'a_b'],
  small: ['<span class="small soft"><bdi dir="auto">a_b</bdi></span>', 'a\\_b', 'a_b'],
  lineBreak: ['a<br> b', 'a; b', 'a; b'],
  time: [
    '<time datetime="2026-11-21T08:00:00.000Z" title="2026-11-21T08:00:00.000Z">2026-11-21 08:00:00 UTC</time>',
    '2026-11-21T08:00:00.000Z',
    '2026-11-21T08:00:00.000Z',
  ],
  occurrence: [
    '<time datetime="2026-11-21T08:00:00.000Z" title="2026-11-21T08:00:00.000Z">2026-11-21 08:00:00 UTC</time><br><span class="small">block 7<span class="transaction">, <code class="code" title="a_b">a_b…</code></span></span>',
    '2026-11-21T08:00:00.000Z, block 7, transaction a\\_b',
    '2026-11-21T08:00:00.000Z, block 7, transaction a_b',
  ],
  transaction: ['<code class="code" dir="ltr">a_b</code>', 'a\\_b', 'a_b'],
  amount: [
    '<data class="amount" value="1234567.5" title="exactly 1 234 567.5 uroll">1.23 ROLL</data>',
    '1.2345675 ROLL',
    '1.2345675 ROLL',
  ],
  baseAmount: ['<span class="amount">1 <wbr>234 <wbr>567</span>', '1234567', '1234567'],
  coins: ['<span class="amount">5 <bdi dir="auto">a_b</bdi></span>', '5 a\\_b', '5 a_b'],
  share: ['<span title="exactly 12.3456 %">12.34 %</span>', '12.3456 %', '12.3456 %'],
  choices: [
    '<span class="part" title="exactly 25 %"><bdi dir="auto">a_b</bdi> 25 %,</span> <span class="part" title="exactly 75 %">No with veto 75 %</span> ',
    'a b 25 %, no with veto 75 %',
    'a b 25 %, no with veto 75 %',
  ],
  status: [
    '<span class="tag quiet"><span aria-hidden="true"> </span>a b: vetoed</span>',
    'a b: vetoed',
    'a b: vetoed',
  ],
  proposal: [
    '<a href="/proposals/7"><span class="entry-number">7</span> <bdi dir="auto">a_b</bdi></a> <span class="soft">round 2</span>',
    '[7](</proposals/7>) a\\_b (round 2)',
    '7 a_b (round 2)',
  ],
  pool: [
    '<a href="/pools/test1pool"><bdi dir="auto">a_b</bdi></a>',
    '[a\\_b](</pools/test1pool>) test1pool',
    'a_b test1pool',
  ],
  drawn: ['<q>a_b</q>', 'a\\_b', 'a_b'],
}

const BLOCKS: Readonly<Record<string, Rendered>> = {
  heading: ['<h2><bdi dir="auto">a_b</bdi></h2>', '## a\\_b', 'a_b'],
  paragraph: ['<p class="soft"><bdi dir="auto">a_b</bdi> and 5</p>', 'a\\_b and 5', 'a_b and 5'],
  facts: [
    '<dl class="facts" id="f">\n<dt>One</dt><dd><bdi dir="auto">a_b</bdi></dd>\n\n<dt>Two</dt><dd>2</dd>\n</dl>',
    '- One: a\\_b\n- Two: 2',
    '- One: a_b\n- Two: 2',
  ],
  list: ['<ul><li><bdi dir="auto">a_b</bdi></li><li>5</li></ul>', '- a\\_b\n- 5', '- a_b\n- 5'],
  listing: ['<pre><code>a_b</code></pre>', '```text\na_b\n```', 'a_b'],
  verbatim: ['<pre dir="auto" tabindex="0">a_b</pre>', '```text\na_b\n```', 'a_b'],
  table: [
    '<div class="scroll" role="region" aria-label="Items" tabindex="0"><table class="records" role="table">\n<caption>In order.</caption>\n<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader" class="words">Name</th><th scope="col" role="columnheader" class="number">Number</th></tr></thead>\n<tbody role="rowgroup"><tr role="row"><th scope="row" role="rowheader"><bdi dir="auto">a_b</bdi></th><td role="cell" class="number" data-label="Number"><span>5</span></td></tr>\n</tbody>\n</table></div>',
    'In order.\n\n| Name | Number |\n| --- | --- |\n| a\\_b | 5 |',
    'In order.\n- Name: a_b; Number: 5',
  ],
  numbers: [
    '<div class="scroll" tabindex="0" role="region" aria-label="Sums"><table class="narrow"><caption>By option.</caption><thead><tr><th scope="col">Option</th><th scope="col" class="number">Power</th></tr></thead>\n<tbody><tr><th scope="row"><bdi dir="auto">a_b</bdi></th><td class="number">5</td></tr></tbody>\n<tfoot><tr><th scope="row">All</th><td class="number">5</td></tr></tfoot></table></div>',
    'By option.\n\n| Option | Power |\n| --- | --- |\n| a\\_b | 5 |\n| All | 5 |',
    'By option.\n- Option: a_b; Power: 5\n- Option: All; Power: 5',
  ],
  sortable: [
    '<div class="scroll" tabindex="0" role="region" aria-label="Votes"><table class="votes" role="table" data-sortable="validator" data-total="1"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Validator</th><th role="columnheader" scope="col" class="number">Power</th></tr></thead><tbody role="rowgroup">\n<tr role="row" data-rank="0" data-choice="a_b" data-choice-name="a_b">\n<th role="rowheader" scope="row"><bdi dir="auto">a_b</bdi></th>\n<td role="cell" data-label="Power" class="number"><span>5</span></td></tr>\n</tbody></table></div>',
    '| Validator | Power |\n| --- | --- |\n| a\\_b | 5 |',
    'Votes\n- Validator: a_b; Power: 5',
  ],
  filters: [
    '<form class="filters" action="/pools" method="get" aria-label="Find">\n<p class="field"><label for="filter-q">Words</label><input id="filter-q" type="search" name="q" value="a_b"></p>\n<p class="field"><label for="filter-sort">Sort by</label><select id="filter-sort" name="sort"><option value="">Stake</option><option value="missed" selected>Missed</option></select></p>\n<input type="hidden" name="round" value="a_b">\n<p class="buttons"><button type="submit">Find</button> <a href="/pools">Reset</a></p>\n</form>',
    'Filters, in the query: `q` (Words); `sort` (Sort by): `missed`.',
    '',
  ],
  section: [
    '<section id="s" data-live="yes" aria-labelledby="s-title"><h2 id="s-title"><bdi dir="auto">a_b</bdi></h2>\n<p><bdi dir="auto">a_b</bdi></p></section>',
    '## a\\_b\n\na\\_b',
    'a_b\n\na_b',
  ],
  part: ['<div id="p"><p><bdi dir="auto">a_b</bdi></p></div>', 'a\\_b', 'a_b'],
  subsection: [
    '<section class="message"><h3><bdi dir="auto">a_b</bdi></h3>\n<p><bdi dir="auto">a_b</bdi></p></section>',
    '### a\\_b\n\na\\_b',
    'a_b\n\na_b',
  ],
  article: ['<article>\n<p><bdi dir="auto">a_b</bdi></p>\n</article>', 'a\\_b', 'a_b'],
  folded: [
    '<details id="d"><summary>More</summary><p><bdi dir="auto">a_b</bdi></p></details>',
    '**More**\n\na\\_b',
    'More\n\na_b',
  ],
  paging: [
    '<nav class="paging" aria-label="Pages of pools"><p>41 pools, page 2 of 3</p><ul class="inline"><li><a rel="prev" href="/pools?page=0">← Previous page</a></li><li><a rel="next" href="/pools?page=2">Next page →</a></li><li><a href="/api/pools?page=1&amp;format=csv">CSV<span class="hidden"> of the pools on this page</span></a></li></ul></nav>',
    '41 pools, page 2 of 3. [previous page](</pools?page=0>), [next page](</pools?page=2>).\n\n- JSON: `GET /api/pools?page=1`\n- CSV: `GET /api/pools?page=1&format=csv`; the `Link` header has the next page\n- NDJSON: `GET /api/pools?page=1&format=ndjson`; the `Link` header has the next page',
    '41 pools',
  ],
  picture: ['<q>a_b</q>', 'a\\_b', 'a_b'],
}

describe('a part of a page', () => {
  it.each(Object.entries(everyInline('a_b')))('%s is in a line of each format', (kind, value) => {
    expect(renderLine(value)).toEqual(LINES[kind])
  })

  it.each(Object.entries(everyBlock('a_b')))('%s is a block of each format', (kind, block) => {
    expect(renderBlock(block)).toEqual(BLOCKS[kind])
  })
})

const parser = new MarkdownIt({ html: true, linkify: true })

/** The elements of a page, without their texts. */
const findTags = (page: string): string[] => page.match(/<\/?[a-z][a-z0-9]*/g) ?? []

const findTokens = (markdown: string): string[] =>
  parser
    .parse(markdown, {})
    .flatMap(({ type, children }) => [type, ...(children ?? []).map((child) => child.type)])
    .filter((type) => type !== 'text' && type !== 'text_special')

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '![x](https://evil.example/p.png)',
  '[x](javascript:alert(1))',
  'a\n# b\n\n- c\n1. d',
  '| a | b |\n| - | - |',
  '**a** `b` ~~c~~',
  'https://evil.example www.evil.example a@evil.example',
  '1. a',
  '\u202ea\u2028b',
]

describe.each(HOSTILE)('the text %j', (hostile) => {
  const renderPairs = (
    every: typeof everyInline | typeof everyBlock,
    render: (part: never) => Rendered,
  ) =>
    Object.entries(every('plain')).map(
      ([kind, part]) =>
        [kind, render(part as never), render(every(hostile)[kind as never] as never)] as const,
    )
  const all = [...renderPairs(everyInline, renderLine), ...renderPairs(everyBlock, renderBlock)]

  it.each(all)('adds no markup to %s', (_kind, plain, shown) => {
    expect(findTags(shown[0])).toEqual(findTags(plain[0]))
    expect(findTokens(shown[1])).toEqual(findTokens(plain[1]))
    expect(shown[0] + shown[1]).not.toMatch(/\p{Bidi_Control}/u)
  })

  it.each(all.filter(([kind]) => kind !== 'listing' && kind !== 'verbatim'))(
    'adds no line and no direction to the plain text of %s',
    (_kind, plain, shown) => {
      expect(shown[2].split('\n')).toHaveLength(plain[2].split('\n').length)
      expect(shown[2]).not.toMatch(/\p{Bidi_Control}/u)
    },
  )
})
