// Every kind of part that a page can have, once, with a given text in each place that takes one.
import * as line from '../../../api/document/line.ts'
import * as tree from '../../../api/document/tree.ts'
import { html } from '../../../infra/base/html/html.ts'

const TIME = '2026-11-21T08:00:00.000Z'

export const everyInline = (
  text: string,
): Readonly<Record<keyof line.InlineParts, line.Inline>> => ({
  quoted: line.quoted(text),
  code: line.code(text),
  command: line.command('GET /api'),
  link: line.link('/pools', line.quoted(text)),
  anchor: line.anchor('votes', line.quoted(text)),
  strong: line.strong(line.quoted(text)),
  soft: line.soft(line.quoted(text)),
  small: line.small(line.quoted(text)),
  lineBreak: ['a', line.lineBreak, 'b'],
  time: line.time(TIME),
  occurrence: line.occurrence({ time: TIME, height: 7, txHash: text }),
  transaction: line.transaction(text, 7),
  amount: line.amount('1234567.5'),
  baseAmount: line.baseAmount('1234567.5'),
  coins: line.coins([{ denom: text, amount: '5' }]),
  share: line.share('0.123456'),
  choices: line.choices([
    { option: text, weight: '0.25' },
    { option: 'no_with_veto', weight: '0.75' },
  ]),
  status: line.status({ status: text, outcomeReason: 'vetoed' }),
  proposal: line.proposal({ proposalId: '7', title: text, round: 2 }),
  pool: line.pool({ operatorAddress: 'test1pool', moniker: text }),
  drawn: line.drawn(html`<q>${text}</q>`, line.quoted(text)),
})

const PAGES = {
  page: { number: 1, totalItems: 41, totalPages: 3 },
  links: { self: '/api/pools?page=1', next: '/api/pools?page=2', prev: '/api/pools?page=0' },
}

export const everyBlock = (text: string): Readonly<Record<keyof tree.BlockParts, tree.Block>> => {
  const of = line.quoted(text)
  const columns = [tree.column('Name', () => of), tree.numberColumn('Number', () => 5)]
  return {
    heading: tree.heading(of),
    paragraph: tree.paragraph([of, ' and 5'], 'soft'),
    facts: tree.namedFacts({ id: 'f' }, ['One', of], null, ['Two', 2]),
    list: tree.list([of, 5]),
    listing: tree.listing(text),
    verbatim: tree.verbatim(text),
    table: tree.table({ label: 'Items', caption: 'In order.', columns, items: [1] }),
    numbers: tree.numbers({
      label: 'Sums',
      caption: 'By option.',
      columns: ['Option', 'Power'],
      rows: [[of, 5]],
      totals: [['All', 5]],
    }),
    sortable: tree.sortable({
      label: 'Votes',
      rowName: 'validator',
      totalItems: 1,
      columns: [{ name: 'Validator' }, { name: 'Power', isNumber: true }],
      rows: [{ rank: 0, choice: [text, text], cells: [{ of, sort: text }, { of: 5 }] }],
    }),
    filters: tree.filters({
      path: '/pools',
      label: 'Find',
      button: 'Find',
      fields: [
        { name: 'q', label: 'Words', value: text, input: { type: 'search' } },
        {
          name: 'sort',
          label: 'Sort by',
          value: 'missed',
          options: [
            ['', 'Stake'],
            ['missed', 'Missed'],
          ],
        },
      ],
      kept: [['round', text]],
    }),
    section: tree.section({ id: 's', title: of, isLive: true }, tree.paragraph(of)),
    part: tree.part({ id: 'p' }, tree.paragraph(of)),
    subsection: tree.subsection({ heading: of, look: 'message' }, tree.paragraph(of)),
    article: tree.article(tree.paragraph(of)),
    folded: tree.folded('d', 'More', tree.paragraph(of)),
    paging: tree.paging({
      list: PAGES,
      itemNames: ['pool', 'pools'],
      path: (url) => url.replace('/api', ''),
    }),
    picture: tree.picture(html`<q>${text}</q>`, tree.paragraph(of)),
  }
}
