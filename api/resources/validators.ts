// `GET /api/validators/{hash}`: a validator set that signed a light block.
import { formatValidatorsLink, readValidators } from '../read/queries/proofs.ts'
import { generationVersion } from '../read/query.ts'
import { ValidatorSet } from '../schemas/proof.ts'
import { defineItem } from './operation.ts'

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
