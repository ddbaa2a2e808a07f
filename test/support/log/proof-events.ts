// Builders of proof events for tests: light blocks, validator sets and stored proposals.
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { EventOf } from '../../../ingest/contract/events.ts'
import type { EventBuilder } from './governance-events.ts'
import { createEvent, toBlockTime } from './governance-values.ts'

type DataOf<Name extends 'light-block.observed' | 'validators.observed' | 'proposal.proof'> =
  EventOf<`rollcall.${Name}.v1`>['data']

export const VALIDATORS_HASH = 'AB'.repeat(32)
export const NO_ANSWER = 'no endpoint gave a valid proof'

/** The light block of the height before its position; without a header if `changes` has a reason. */
export const lightBlock =
  (changes: Partial<DataOf<'light-block.observed'>> = {}): EventBuilder =>
  (height) => {
    const blockHeight = changes.blockHeight ?? height - 1
    const observed = {
      blockHeight,
      hash: blockHeight.toString(16).toUpperCase().padStart(64, 'C'),
      header: { height: `${blockHeight}`, time: toBlockTime(blockHeight) },
      commit: { height: `${blockHeight}`, round: 0, signatures: [] },
      validatorsHash: VALIDATORS_HASH,
      reason: null,
    }
    const missing = changes.reason ? { header: null, commit: null, validatorsHash: null } : {}
    const data = { ...observed, ...missing, ...changes }
    return createEvent(
      'rollcall.light-block.observed.v1',
      { height, ordinal: ORDINAL.before },
      data,
    )
  }

export const validators =
  (changes: Partial<DataOf<'validators.observed'>> = {}): EventBuilder =>
  (height) => {
    const key = { type: 'tendermint/PubKeyEd25519', value: 'AAAA' }
    const validator = { address: '0A'.repeat(20), pub_key: key, voting_power: '10' }
    const data = { hash: VALIDATORS_HASH, validators: [validator], ...changes }
    const at = { height, ordinal: ORDINAL.before, sub: 1 }
    return createEvent('rollcall.validators.observed.v1', at, data)
  }

/** `sub` distinguishes the chunks and proposals of one height. Without a value if `changes` has a reason. */
export const proposalProof =
  (proposalId: string, changes: Partial<DataOf<'proposal.proof'>> = {}, sub = 2): EventBuilder =>
  (height) => {
    const observed = {
      chunk: 0,
      chunks: 1,
      proposalId,
      round: 0,
      stateHeight: height - 2,
      store: 'gov' as const,
      key: '000000000000000001',
      value: 'CAE=',
      proofOps: [{ type: 'ics23:iavl', key: 'AAE=', data: 'CgE=' }],
      reason: null,
    }
    const missing = changes.reason ? { value: null, proofOps: null } : {}
    const data = { ...observed, ...missing, ...changes }
    const at = { height, ordinal: ORDINAL.before, sub, subject: `proposals/${proposalId}` }
    return createEvent('rollcall.proposal.proof.v1', at, data)
  }
