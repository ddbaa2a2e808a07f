// Tests the rows from events of proofs: light blocks, validator sets, and the chunks of proved values.
import { expect, it } from 'vitest'
import { toPosition } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { given } from '../../../support/fold/given.ts'
import { closed, createHeightEvents, submitted } from '../../../support/log/governance-events.ts'
import {
  lightBlock,
  NO_ANSWER,
  proposalProof,
  VALIDATORS_HASH,
  validators,
} from '../../../support/log/proof-events.ts'

const versionAt = (height: number, sub: number) => toPosition({ height, index: sub }).toString()
const started = createHeightEvents(4, [submitted('7')], 4)

it('stores each chunk of a proved value with its proof', () => {
  const ops = [{ type: 'ics23:iavl', key: 'AAE=', data: 'CgE=' }]
  const first = proposalProof('7', { chunks: 2, value: 'AAAA', proofOps: ops })
  const second = proposalProof('7', { chunk: 1, chunks: 2, value: 'BBBB', proofOps: ops }, 3)
  const row = {
    proposal_id: '7',
    round: 0,
    state_height: '4',
    chunk: 0,
    chunks: 2,
    store: 'gov',
    key: '000000000000000001',
    value: 'AAAA',
    reason: null,
    proof_ops: '[{"type":"ics23:iavl","key":"AAE=","data":"CgE="}]',
    time: '2026-01-01 00:00:36.000000000',
    version: versionAt(6, 2),
  }
  given(started, createHeightEvents(6, [first, second], 4)).expectRows('proposal_proofs', [
    row,
    { ...row, chunk: 1, value: 'BBBB', version: versionAt(6, 3) },
  ])
})

it('stores the proof of the end of a round although the proposal is already closed', () => {
  const end = proposalProof('7', { round: 1 })
  given(started, createHeightEvents(5, [closed('7')]), createHeightEvents(7, [end])).expectRow(
    'proposal_proofs',
    {
      proposal_id: '7',
      round: 1,
      state_height: '5',
    },
  )
})

it('does not change a proposal by its proof', () => {
  const before = given(started).rows('watermarks')
  const { rows } = given(started, createHeightEvents(6, [proposalProof('7')], 4))
  expect(rows('watermarks')).toEqual(before)
})

it('stores the reason instead of both if proof and header are missing', () => {
  const reason = NO_ANSWER
  given(createHeightEvents(6, [lightBlock({ reason }), proposalProof('7', { reason })]))
    .expectRow('proposal_proofs', { value: null, proof_ops: null, reason })
    .expectRow('light_blocks', {
      height: '5',
      header_time: null,
      header: null,
      commit: null,
      validators_hash: null,
      reason,
      version: versionAt(6, 0),
    })
})

it('stores a header and its commit as they are, with the time of the header', () => {
  const header = { version: { block: '11' }, height: '5', time: '2026-01-01T00:00:31.123456789Z' }
  const commit = { height: '5', round: 0, signatures: [{ block_id_flag: 2, signature: null }] }
  given(createHeightEvents(6, [lightBlock({ header, commit })])).expectRow('light_blocks', {
    height: '5',
    header: JSON.stringify(header),
    commit: JSON.stringify(commit),
    header_time: '2026-01-01 00:00:31.123456789',
    validators_hash: VALIDATORS_HASH,
    time: '2026-01-01 00:00:36.000000000',
    reason: null,
  })
})

it.each([{}, { time: 5 }, { time: '2026-02-30T00:00:00Z' }])(
  'stores no time for a header with an invalid time: %j',
  (header) => {
    given(createHeightEvents(6, [lightBlock({ header })])).expectRow('light_blocks', {
      header_time: null,
      header: JSON.stringify(header),
    })
  },
)

it('has one row for a validator set that signs again later', () => {
  const other = validators({ hash: 'CD'.repeat(32), validators: [] })
  given(
    createHeightEvents(6, [validators()]),
    createHeightEvents(8, [other]),
    createHeightEvents(9, [validators()]),
  ).expectRows('validator_sets', [
    {
      hash: VALIDATORS_HASH,
      validators: `[{"address":"${'0A'.repeat(20)}","pub_key":{"type":"tendermint/PubKeyEd25519","value":"AAAA"},"voting_power":"10"}]`,
      version: versionAt(9, 1),
    },
    { hash: 'CD'.repeat(32), validators: '[]' },
  ])
})

it('stores no parts of an event that was too large for the log', () => {
  const omittedReason = 'the event has more than 1 MiB'
  const cut = (event: GovernanceEvent) =>
    ({
      ...event,
      data: {
        ...event.data,
        omitted: [{ path: '/a', bytes: 1, sha256: 'ab'.repeat(32) }],
        omittedReason,
      },
    }) as GovernanceEvent
  const events = createHeightEvents(6, [lightBlock(), validators(), proposalProof('7')])
  given(events.map((event) => (event.index < 4096 ? cut(event) : event)))
    .expectRows('validator_sets', [])
    .expectRow('light_blocks', { header: null, commit: null, reason: omittedReason })
    .expectRow('proposal_proofs', { value: null, proof_ops: null, reason: omittedReason })
})
