// `/pools`: all validators, with a form to find and to sort them.
import type { Static } from 'typebox'
import type { PageContext } from '../document/context.ts'
import { pool, quoted, share } from '../document/line.ts'
import { readQuery, withQuery } from '../document/paths.ts'
import {
  amountColumn,
  type Block,
  column,
  filters,
  type ItemColumn,
  numberColumn,
  paging,
  paragraph,
  quotations,
  table,
} from '../document/tree.ts'
import { poolStateInWords } from '../in-words.ts'
import { pools } from '../resources/pools.ts'
import type { Pool, PoolPage } from '../schemas/pool.ts'
import { listDocument, type Page, parseForm } from './page.ts'
import { describeParticipation, WHAT_A_POOL_IS } from './pool-words.ts'

type Data = Static<typeof PoolPage>

const PATH = '/pools'

const COLUMNS: readonly ItemColumn<Pool>[] = [
  column('Validator', pool),
  column('Status', (each) => quoted(poolStateInWords(each))),
  amountColumn('Stake', ({ bondedTokens }) => bondedTokens),
  numberColumn('Share of the power', ({ powerShare }) => share(powerShare)),
  numberColumn('Participation', describeParticipation),
  numberColumn('Missed', ({ proposalsMissed }) => proposalsMissed),
]

const CAPTION =
  'Participation: 16 of 17 means that the validator voted on 16 ' +
  'of the 17 proposals it could vote on.'

const ORDERS = [
  ['', 'Stake'],
  ['participation', 'Participation'],
  ['missed', 'Missed votes'],
] as const

type Filters = { q: string; sort: string }

const form = ({ q, sort }: Filters): Block =>
  filters({
    path: PATH,
    label: 'Find validators',
    button: 'Find',
    fields: [
      {
        name: 'q',
        label: 'Name or address',
        value: q,
        input: {
          type: 'search',
          maxlength: '200',
          autocapitalize: 'none',
          autocomplete: 'off',
          spellcheck: 'false',
        },
      },
      { name: 'sort', label: 'Sort by', value: sort, options: ORDERS },
    ],
  })

const write = (data: Data, at: PageContext) => {
  const { items, page, links } = data
  const chosen = { q: readQuery(links.self, 'q'), sort: readQuery(links.self, 'sort') }
  const isUnmatched = page.totalItems === 0 && chosen.q !== ''
  return listDocument(data, at, {
    title: 'Validators',
    description: `The ${page.totalItems} validators of the chain, largest stake first, \
and how many proposals each of them voted on or missed.`,
    path: withQuery(PATH, chosen),
    blocks: [
      WHAT_A_POOL_IS,
      form(chosen),
      items.length === 0
        ? paragraph(`No validators ${isUnmatched ? 'match' : 'on this page'}.`)
        : table({ label: 'Validators', caption: CAPTION, columns: COLUMNS, items }),
      quotations('Names of validators'),
      paging({
        list: data,
        itemNames: ['validator', 'validators'],
        path: PATH,
      }),
    ],
  })
}

export const poolsPage: Page<Data> = {
  name: 'pools',
  path: PATH,
  parseRequest: parseForm(pools),
  write,
}
