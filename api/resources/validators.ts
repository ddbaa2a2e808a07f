// `GET /api/validators/{hash}`: a validator set that signed a light block.
import { formatValidatorsLink, readValidators } from '../read/queries/light-blocks.ts'
import { ValidatorSet } from '../schemas/proof.ts'
import { defineItem } from './item.ts'
import { READ_PROBLEMS, STORE_PROBLEMS } from './operation.ts'

export const validators = defineItem({
  operationId: 'getValidators',
  path: '/api/validators/:hash',
  tag: 'Proofs',
  summary: 'Get a validator set',
  description:
    'All validators of a set that signed a light block, in the order of the hash. A set never changes.',
  pathParameters: ['hash'],
  queryParameters: [],
  answer: ValidatorSet,
  problems: [...READ_PROBLEMS, 'validators-not-found', ...STORE_PROBLEMS],
  query: ({ hash }) => ({
    name: formatValidatorsLink(hash),
    proposalId: null,
    version: ({ generation }) => `${generation}`,
    isFinal: () => true,
    read: (reads) => readValidators(reads, hash),
    complete: (value) => value,
  }),
})
