// Light blocks, with which clients verify one header from another: `GET /api/light-blocks`, `GET /api/light-blocks/{height}`, and the
// validator sets that signed them, `GET /api/validators/{hash}`.
import {
  formatLightBlockLink,
  formatValidatorsLink,
  readLightBlock,
  readLightBlocks,
  readValidators,
} from '../read/queries/proofs.ts'
import { generationVersion, heightVersion } from '../read/query.ts'
import { LIGHT_BLOCK_COLUMNS, LightBlock, LightBlockPage, ValidatorSet } from '../schemas/proof.ts'
import { defineList, OFFSET, readByOffset } from './list.ts'
import { defineItem } from './operation.ts'

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
  positionPattern: OFFSET,
  columns: LIGHT_BLOCK_COLUMNS,
  version: () => heightVersion,
  read: readByOffset(LIGHT_BLOCKS_PER_PAGE, (reads, _args, range) => readLightBlocks(reads, range)),
})

export const lightBlock = defineItem({
  operationId: 'getLightBlock',
  path: '/api/light-blocks/:height',
  tag: 'Proofs',
  summary: 'Get a light block',
  guide: 'a header with the commit that signs it',
  description:
    'The header of a height with the commit that signs it. The list of light blocks has the available heights. A light block never changes.',
  queryParameters: [],
  answer: LightBlock,
  problems: ['light-block-not-found'],
  query: ({ height }) => ({
    name: formatLightBlockLink(height),
    proposalId: null,
    version: generationVersion,
    isFinal: () => true,
    read: async (reads) => ({ value: await readLightBlock(reads, height) }),
    complete: (value) => value,
  }),
})

export const validators = defineItem({
  operationId: 'getValidators',
  path: '/api/validators/:hash',
  tag: 'Proofs',
  summary: 'Get a validator set',
  guide: 'the validators that signed a header',
  description:
    'All validators of a set that signed a light block, in the order of the hash. A set never changes.',
  queryParameters: [],
  answer: ValidatorSet,
  problems: ['validators-not-found'],
  query: ({ hash }) => ({
    name: formatValidatorsLink(hash),
    proposalId: null,
    version: generationVersion,
    isFinal: () => true,
    read: async (reads) => ({ value: await readValidators(reads, hash) }),
    complete: (value) => value,
  }),
})
