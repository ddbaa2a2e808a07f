// The blocks from which a proof can start. Without their hashes: one from Rollcall itself would prove nothing.
import { html } from '../../infra/base/html/html.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import { listLayout } from './layout.ts'
import { paging, timestamp } from './parts.ts'
import { recordTable } from './record-table.ts'

const LEAD = html`<p>To verify a result, you need one block that you trust, with its hash (its fingerprint). \
Choose a block of this list, not after the end of the vote. \
Then look up its hash elsewhere, such as in a block explorer. \
This page has no hashes, because a hash from Rollcall would prove nothing about Rollcall.</p>`

export const blocksHtml = (data: PageData['blocks'], at: PageContext): string => {
  const table = recordTable({
    label: 'Blocks',
    caption: 'Oldest first.',
    columns: [{ name: 'Block' }, { name: 'Time' }],
    rows: data.items.map(({ height, time }) => [html`${height}`, timestamp(time)]),
  })
  return listLayout(
    {
      title: 'Blocks for proofs',
      description: 'The blocks of the chain from which the proof of a result can start.',
      path: '/light-blocks',
      main: html`<h1>Blocks for proofs</h1>
${LEAD}
${data.items.length === 0 ? html`<p>No blocks on this page.</p>` : table}
${paging(data, { itemNames: ['block', 'blocks'], at })}`,
    },
    data,
    at,
  )
}
