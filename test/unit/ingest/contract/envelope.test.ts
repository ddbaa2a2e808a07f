// Tests the proposal of an envelope.
import { expect, it } from 'vitest'
import { readProposalId } from '../../../../ingest/contract/envelope.ts'

const MAX_ID = '18446744073709551615'

it.each([
  ['7', 'proposals/7', { proposalId: '8' }],
  ['8', undefined, { proposalId: '8' }],
  ['8', 'voters/cosmos1', { proposalId: '8' }],
  [MAX_ID, `proposals/${MAX_ID}`, {}],
  [undefined, undefined, null],
  [undefined, undefined, { proposalId: 8 }],
  [undefined, 'proposals/7/votes', {}],
  [undefined, 'proposals/18446744073709551616', {}],
  [undefined, 'proposals/000000000000000000001', { proposalId: '-1' }],
])('the proposal is %j with the subject %j and the data %j', (expected, subject, data) => {
  const envelope = {
    specversion: '1.0',
    id: 'a-1/1/1',
    source: '/chains/a-1',
    type: 'x',
    height: 1,
    index: 1,
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    data,
  } as const
  expect(readProposalId(subject === undefined ? envelope : { ...envelope, subject })).toBe(expected)
})
