// Payments of the community pool: amounts in display units, and their share of the pool.
import { describe, expect, it } from 'vitest'
import { shareText } from '../../../../../api/explain/amounts.ts'
import {
  createMetadata,
  explain,
  lines,
  observed,
  plain,
} from '../../../../support/api/explained.ts'

const RECIPIENT = 'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'
const amount = [{ denom: 'uatom', amount: '2500000000' }]
const ATOM = createMetadata('uatom', 'atom', 'ATOM')
const poolQuery = '/cosmos.distribution.v1beta1.Query/CommunityPool'
const pool = observed(
  poolQuery,
  {},
  {
    pool: [
      { denom: 'ibc/27', amount: '12.5' },
      { denom: 'uatom', amount: '100000000000.123456789012345678' },
    ],
  },
)
const spend = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  authority: 'a',
  recipient: RECIPIENT,
  amount,
}

describe('a community pool spend', () => {
  it('shows the amount in the display unit, the recipient and the share of the pool', () => {
    const explanation = explain(spend, { observations: [ATOM, pool] })
    expect(plain(explanation.summary)).toBe(
      'Pays 2 500 ATOM from the community pool to one account: 2.49 % of the pool balance at submission.',
    )
    expect(explanation.details.slice(0, 2)).toEqual([
      {
        label: 'Amount',
        value: { kind: 'amount', denom: 'uatom', amount: '2500000000', text: '2\u202f500 ATOM' },
      },
      { label: 'Recipient', value: { kind: 'address', text: RECIPIENT } },
    ])
  })

  it('shows base units if the chain has no display unit', () => {
    expect(plain(explain(spend).summary)).toBe(
      'Pays 2 500 000 000 uatom from the community pool to one account.',
    )
  })

  it('shows the reason for an unknown share', () => {
    const describeShare = (...observations: (typeof pool)[]) =>
      lines(explain(spend, { observations })).at(-1)
    expect(describeShare()).toBe(
      'Share of the pool: Not known: the state of the chain was not read',
    )
    expect(describeShare(observed(poolQuery, {}, null))).toBe(
      'Share of the pool: Not known: the server has no such query',
    )
  })

  it('shows one share for each denom, and marks amounts above the pool balance', () => {
    const coins = [...amount, { denom: 'uosmo', amount: '1' }]
    const explanation = explain({ ...spend, amount: coins }, { observations: [ATOM, pool] })
    expect(lines(explanation).slice(-2)).toEqual([
      'Share of the pool (ATOM): 2.49 % of the balance at submission',
      'Share of the pool (uosmo): more than the balance at submission',
    ])
  })

  it('uses the pool of x/protocolpool for its message', () => {
    const message = { ...spend, '@type': '/cosmos.protocolpool.v1.MsgCommunityPoolSpend' }
    const query = '/cosmos.protocolpool.v1.Query/CommunityPool'
    const own = observed(query, {}, { pool: [{ denom: 'uatom', amount: '5000000000' }] })
    expect(lines(explain(message, { observations: [pool, own] })).at(-1)).toBe(
      'Share of the pool: 50 % of the balance at submission',
    )
  })

  it('explains the legacy CommunityPoolSpendProposal', () => {
    const content = {
      '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
      title: 't',
      description: 'd',
      recipient: RECIPIENT,
      amount,
    }
    expect(explain(content, { observations: [pool] }).title).toBe('Community pool spend')
  })
})

describe('shares', () => {
  it.each([
    ['1', '3', '33.33 % of'],
    ['1', '1', '100 % of'],
    ['1', '100000', 'less than 0.01 % of'],
    ['0', '5', '0 % of'],
    ['2', '1.999999999999999999', 'more than'],
    ['99999999999999999999999', '100000000000000000000000', '99.99 % of'],
    ['1', 'many', undefined],
  ])('%s of %s is %s', (part, whole, text) => expect(shareText(part, whole)).toBe(text))
})

describe('a continuous fund', () => {
  it('has its share and its end date', () => {
    const message = {
      '@type': '/cosmos.protocolpool.v1.MsgCreateContinuousFund',
      authority: 'a',
      recipient: RECIPIENT,
      percentage: '0.150000000000000000',
      expiry: '2027-01-01T00:00:00Z',
    }
    const explanation = explain(message)
    expect(explanation.summary).toBe(
      'Pays 15 % of the income of the community pool to one account, until an end date.',
    )
    expect(explanation.details).toContainEqual({
      label: 'Expires',
      value: { kind: 'time', text: '2027-01-01T00:00:00Z' },
    })
    expect(explain({ ...message, expiry: null }).summary).toContain('without an end')
  })
})
