// Payments of the community pool, with amounts in display units.
import { describe, expect, it } from 'vitest'
import { ATOM, explain, plain } from '../../../../support/api/explained.ts'

const RECIPIENT = 'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'
const amount = [{ denom: 'uatom', amount: '2500000000' }]
const spend = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  authority: 'a',
  recipient: RECIPIENT,
  amount,
}

describe('a community pool spend', () => {
  it('shows the amount in the display unit, and the recipient', () => {
    const explanation = explain(spend, { displayUnit: ATOM })
    expect(plain(explanation.summary)).toBe(
      'Pays 2 500 ATOM from the community pool to one account.',
    )
    expect(explanation.details).toEqual([
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

  it('explains the legacy CommunityPoolSpendProposal', () => {
    const content = {
      '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
      title: 't',
      description: 'd',
      recipient: RECIPIENT,
      amount,
    }
    expect(explain(content).title).toBe('Community pool spend')
  })
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
