// The table `proposal_proofs`: one declaration of its names, keys and columns.
import {
  id,
  label,
  longText,
  nullable,
  safeInteger,
  text,
  time,
  uint16,
  uint32,
  uint64,
} from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const proposalProofs = defineTable('proposalProofs', {
  comment:
    'Proposals as the store of the chain has them at their submission and at the end of each round, with Merkle proofs',
  key: ['proposalId', 'round', 'stateHeight', 'chunk'],
  version: 'version',
  granularity: 1,
  columns: {
    proposalId: id("The chain's id"),
    round: uint16('Round of voting that ended at state_height; 0 for the submission'),
    stateHeight: safeInteger(
      'Height whose committed state is proved; the header of the next height has the app hash',
    ),
    chunk: uint32('Number of this chunk of the value, from 0'),
    chunks: uint32('How many chunks the value has'),
    store: label('Store of the module that has the value'),
    key: text('Key in the store, in hex'),
    value: nullable(
      longText('This chunk of the stored bytes, in base64; NULL if no endpoint gave a valid proof'),
    ),
    /** JSON of a list of `ProofOp`. */
    proofOps: nullable(
      longText('JSON: the steps from the value to the app hash; NULL if value is NULL'),
    ),
    reason: nullable(text('Why value is NULL; NULL if it is not')),
    time: time('Block time of the event'),
    version: uint64('Position of the event this row follows'),
  },
})
export type ProposalProofRow = RowOf<typeof proposalProofs>
