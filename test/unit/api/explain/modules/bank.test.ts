// Transfers, and transfer permissions.
import { describe, expect, it } from 'vitest'
import { ATOM, explain, plain } from '../../../../support/api/explained.ts'

const RECIPIENT = 'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'
const amount = [{ denom: 'uatom', amount: '2500000000' }]

describe('messages of x/bank', () => {
  it('show a transfer', () => {
    const message = {
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      from_address: 'cosmos1module',
      to_address: RECIPIENT,
      amount,
    }
    const explanation = explain(message, { displayUnit: ATOM })
    expect(plain(explanation.summary)).toBe('Sends 2 500 ATOM from one account to another.')
  })

  it('show a transfer to several accounts', () => {
    const output = { address: RECIPIENT, coins: [{ denom: 'uatom', amount: '1250000000' }] }
    const message = {
      '@type': '/cosmos.bank.v1beta1.MsgMultiSend',
      inputs: [{ address: 'cosmos1module', coins: amount }],
      outputs: [output, output],
    }
    const explanation = explain(message, { displayUnit: ATOM })
    expect(plain(explanation.summary)).toBe('Sends 2 500 ATOM to 2 accounts.')
    expect(explanation.details).toHaveLength(6)
  })

  it('show transfer permissions of denoms', () => {
    const message = {
      '@type': '/cosmos.bank.v1beta1.MsgSetSendEnabled',
      authority: 'a',
      send_enabled: [
        { denom: 'uatom', enabled: true },
        { denom: 'ustake', enabled: false },
      ],
      use_default_for: ['uosmo'],
    }
    expect(explain(message).summary).toBe(
      'Allows transfers of uatom; forbids transfers of ustake; resets to the default: uosmo.',
    )
  })
})
