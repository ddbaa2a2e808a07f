// `/pools`: all validators, with a form to find and to sort them.
import type { Static } from 'typebox'
import { pools } from '../resources/pools.ts'
import type { Pool, PoolPage } from '../schemas/pool.ts'
import { Filters, type ItemColumn, Paging, Quotations, Table } from '../view/blocks.tsx'
import { Amount, PoolLink, Quoted, Share, Soft } from '../view/parts.tsx'
import { readQuery, withQuery } from '../view/paths.ts'
import { poolStateInWords } from '../words/status.ts'
import { listDocument, type Page, parseForm } from './page.ts'

export function WhatAPoolIs() {
  return (
    <p>
      A validator votes with all stake delegated to it, except the stake of delegators who vote
      themselves.
    </p>
  )
}

/** `16 of 17`. */
export function VotedCount({ of }: { of: Pick<Pool, 'proposalsVoted' | 'proposalsMissed'> }) {
  const all = of.proposalsVoted + of.proposalsMissed
  return all === 0 ? <Soft>none yet</Soft> : `${of.proposalsVoted} of ${all}`
}

type Data = Static<typeof PoolPage>

const PATH = '/pools'

const COLUMNS: readonly ItemColumn<Pool>[] = [
  { name: 'Validator', cell: (pool) => <PoolLink of={pool} /> },
  { name: 'Status', cell: (pool) => <Quoted text={poolStateInWords(pool)} /> },
  { name: 'Stake', isAmount: true, cell: ({ bondedTokens }) => <Amount base={bondedTokens} /> },
  {
    name: 'Share of the power',
    isNumber: true,
    cell: ({ powerShare }) => <Share of={powerShare} />,
  },
  { name: 'Participation', isNumber: true, cell: (pool) => <VotedCount of={pool} /> },
  { name: 'Missed', isNumber: true, cell: ({ proposalsMissed }) => proposalsMissed },
]

const CAPTION =
  'Participation: 16 of 17 means that the validator voted on 16 ' +
  'of the 17 proposals it could vote on.'

const ORDERS = [
  ['', 'Stake'],
  ['participation', 'Participation'],
  ['missed', 'Missed votes'],
] as const

function Form({ q, sort }: { q: string; sort: string }) {
  return (
    <Filters
      path={PATH}
      label="Find validators"
      button="Find"
      fields={[
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
      ]}
    />
  )
}

export const poolsPage: Page<Data> = {
  name: 'pools',
  path: PATH,
  parseRequest: parseForm(pools),
  write: (data, at) => {
    const { items, page, links } = data
    const chosen = { q: readQuery(links.self, 'q'), sort: readQuery(links.self, 'sort') }
    const isUnmatched = page.totalItems === 0 && chosen.q !== ''
    return listDocument(data, at, {
      title: 'Validators',
      description: `The ${page.totalItems} validators of the chain, largest stake first, \
and how many proposals each of them voted on or missed.`,
      path: withQuery(PATH, chosen),
      body: (
        <>
          <WhatAPoolIs />
          <Form {...chosen} />
          {items.length === 0 ? (
            <p>No validators {isUnmatched ? 'match' : 'on this page'}.</p>
          ) : (
            <Table label="Validators" caption={CAPTION} columns={COLUMNS} items={items} />
          )}
          <Quotations of="Names of validators" />
          <Paging list={data} itemNames={['validator', 'validators']} path={PATH} />
        </>
      ),
    })
  },
}
