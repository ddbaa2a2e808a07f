// `GET /api/light-blocks`: which light blocks there are, for clients that verify from one header to another.
import type { Static } from 'typebox'
import { readLightBlocks } from '../read/queries/light-blocks.ts'
import { heightVersion } from '../read/query.ts'
import { LIGHT_BLOCK_COLUMNS, type LightBlockItem, LightBlockPage } from '../schemas/proof.ts'
import { notIssued } from './cursor.ts'
import { defineList } from './list.ts'
import { READ_PROBLEMS, STORE_PROBLEMS } from './operation.ts'

const LIGHT_BLOCKS_PER_PAGE = 1_000

export const lightBlocks = defineList<
  LightBlockItem,
  Static<typeof LightBlockPage>,
  never,
  'page' | 'cursor'
>({
  operationId: 'listLightBlocks',
  path: '/api/light-blocks',
  tag: 'Proofs',
  summary: 'Light blocks in the order of their heights',
  description:
    '1,000 a page: the headers that proofs end in, the one after the first indexed height, and one for every 100,000 heights. With them a client verifies from a header that it trusts to the header of a proof.',
  pathParameters: [],
  queryParameters: ['page', 'cursor'],
  answer: LightBlockPage,
  problems: [...READ_PROBLEMS, 'cursor-expired', ...STORE_PROBLEMS],
  paging: 'numbered',
  pageSize: LIGHT_BLOCKS_PER_PAGE,
  pagesPerReading: 5,
  // A page begins at a multiple of its size: no light block is ever taken out of the list.
  positionPattern: /^[1-9][0-9]{0,6}000$/,
  columns: LIGHT_BLOCK_COLUMNS,
  scope: () => ['light-blocks'],
  version: () => heightVersion,
  read: async (reads, _args, { start, limit }) => {
    const from = 'position' in start ? Number(start.position) : start.page * LIGHT_BLOCKS_PER_PAGE
    const { items, total } = await readLightBlocks(reads, { from, limit })
    if ('position' in start && from >= total) throw notIssued()
    return {
      items,
      total,
      getPositionAfter: (count) => (from + count < total ? `${from + count}` : null),
      consistency: 'settled',
    }
  },
})
