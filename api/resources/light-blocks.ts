// `GET /api/light-blocks`: the available light blocks, with which clients verify one header from another.
import { readLightBlocks } from '../read/queries/light-blocks.ts'
import { heightVersion } from '../read/query.ts'
import { LIGHT_BLOCK_COLUMNS, LightBlockPage } from '../schemas/proof.ts'
import { defineList } from './list.ts'
import { readByOffset, THOUSANDS } from './offsets.ts'

const LIGHT_BLOCKS_PER_PAGE = 1_000

export const lightBlocks = defineList({
  operationId: 'listLightBlocks',
  path: '/api/light-blocks',
  tag: 'Proofs',
  summary: 'List light blocks',
  guide: 'heights with a signed header, from which you can verify that of a proof',
  description:
    '1,000 light blocks per page by height: the headers of proofs, the header after the first indexed height, and one header per 100,000 heights. A client uses them to verify the header of a proof from a header that it trusts.',
  queryParameters: ['page', 'cursor'],
  answer: LightBlockPage,
  paging: 'numbered',
  pageSize: LIGHT_BLOCKS_PER_PAGE,
  pagesPerReading: 5,
  positionPattern: THOUSANDS,
  columns: LIGHT_BLOCK_COLUMNS,
  scope: () => ['light-blocks'],
  version: () => heightVersion,
  read: readByOffset(LIGHT_BLOCKS_PER_PAGE, (reads, _args, range) => readLightBlocks(reads, range)),
})
