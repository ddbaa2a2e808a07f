// `GET /api/light-blocks`: the available light blocks, with which clients verify one header from another.
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
  summary: 'List light blocks',
  description:
    '1,000 light blocks per page by height: the headers of proofs, the header after the first indexed height, and one header per 100,000 heights. A client uses them to verify the header of a proof from a header that it trusts.',
  pathParameters: [],
  queryParameters: ['page', 'cursor'],
  answer: LightBlockPage,
  problems: [...READ_PROBLEMS, 'cursor-expired', ...STORE_PROBLEMS],
  paging: 'numbered',
  pageSize: LIGHT_BLOCKS_PER_PAGE,
  pagesPerReading: 5,
  // A page begins at a multiple of its size, because light blocks are never removed from the list.
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
      consistency: 'consistent',
    }
  },
})
