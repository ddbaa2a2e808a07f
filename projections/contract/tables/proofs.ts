// The tables of proofs.
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

export const lightBlocks = defineTable('lightBlocks', {
  comment:
    'Headers with the commits that sign them: the ones that proofs end in, and others for skipping verification',
  key: ['height'],
  version: 'version',
  granularity: 1,
  columns: {
    height: safeInteger('Height of the header'),
    hash: text('Hash of the header, in hex'),
    headerTime: nullable(
      time('Time of the header; NULL if there is no header, or if it has no such time'),
    ),
    header: nullable(
      longText(
        'JSON of the header, as the RPC of a node has it; NULL if no endpoint gave a valid one',
      ),
    ),
    commit: nullable(longText('JSON of the commit that signs the header; NULL if header is NULL')),
    validatorsHash: nullable(text('Hash of the validator set that signed; NULL if header is NULL')),
    reason: nullable(text('Why header is NULL; NULL if it is not')),
    time: time('Block time of the event'),
    version: uint64('Position of the event this row follows'),
  },
})
export type LightBlockRow = RowOf<typeof lightBlocks>

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
