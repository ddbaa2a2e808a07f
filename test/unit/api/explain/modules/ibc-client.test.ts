// The recovery of an IBC client.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../../support/api/explained.ts'

describe('an IBC client recovery', () => {
  it('shows both clients ', () => {
    const message = {
      '@type': '/ibc.core.client.v1.MsgRecoverClient',
      subject_client_id: '07-tendermint-1',
      substitute_client_id: '07-tendermint-9',
    }
    const explanation = explain(message)
    expect(explanation.summary).toBe(
      'Gives the IBC client 07-tendermint-1 the state of the client 07-tendermint-9.',
    )
  })
})
