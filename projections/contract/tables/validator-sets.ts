// The table `validator_sets`: one declaration of its names, keys and columns.
import { longText, text, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const validatorSets = defineTable('validatorSets', {
  comment: 'Validator sets that signed light blocks',
  key: ['hash'],
  version: 'version',
  granularity: 1,
  columns: {
    hash: text('Hash of the set, as headers have it in validators_hash, in hex'),
    /** JSON of a list of `ConsensusValidator`. */
    validators: longText(
      'JSON: all validators with their keys and powers, in the order of the set',
    ),
    version: uint64('Position of the latest event that has the set'),
  },
})
export type ValidatorSetRow = RowOf<typeof validatorSets>
