// Tests the proposal and the chain of an envelope.
import { expect, it } from 'vitest'
import { readChainId, readProposalId } from '../../../../ingest/contract/envelope.ts'

const readFrom = (subject: string | undefined, data: unknown = {}) =>
  readProposalId({
    specversion: '1.0',
    id: 'a-1/1/1',
    source: '/chains/a-1',
    type: 'x',
    height: 1,
    index: 1,
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    data,
    ...(subject === undefined ? {} : { subject }),
  })

it('names the proposal of the subject, else of the data', () => {
  expect(readFrom('proposals/7', { proposalId: '8' })).toBe('7')
  expect(readFrom(undefined, { proposalId: '8' })).toBe('8')
  expect(readFrom('voters/cosmos1', { proposalId: '8' })).toBe('8')
})

it.each([
  [undefined, null],
  [undefined, 'text'],
  [undefined, { proposalId: 8 }],
  ['proposals/', {}],
  ['proposals/7/votes', {}],
  ['proposals/18446744073709551616', {}],
  ['proposals/000000000000000000001', { proposalId: '-1' }],
])('names no proposal for an ID that is not valid: %j, %j', (subject, data) => {
  expect(readFrom(subject, data)).toBeUndefined()
})

it('names a proposal with the largest possible ID', () => {
  expect(readFrom('proposals/18446744073709551615')).toBe('18446744073709551615')
})

it('names the chain of the source', () => {
  expect(readChainId({ source: '/chains/a-1' })).toBe('a-1')
})
