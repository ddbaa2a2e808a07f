// `GET /api/light-blocks/{height}`: a header with the commit that signs it.
import { formatLightBlockLink, readLightBlock } from '../read/queries/proofs.ts'
import { generationVersion } from '../read/query.ts'
import { LightBlock } from '../schemas/proof.ts'
import { defineItem } from './operation.ts'

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
