// The recovery of an IBC client, with the status of both clients.
import { describe, expect, it } from 'vitest'
import { explain, lines, observed } from '../../../../support/api/explained.ts'

describe('an IBC client recovery', () => {
  it('shows both clients with their status', () => {
    const message = {
      '@type': '/ibc.core.client.v1.MsgRecoverClient',
      subject_client_id: '07-tendermint-1',
      substitute_client_id: '07-tendermint-9',
    }
    const query = '/ibc.core.client.v1.Query/ClientStatus'
    const observations = [
      observed(query, { client_id: '07-tendermint-1' }, { status: 'Expired' }),
      observed(query, { client_id: '07-tendermint-9' }, { status: 'Active' }),
    ]
    const explanation = explain(message, { observations })
    expect(explanation.summary).toBe(
      'Gives the IBC client 07-tendermint-1, which was expired at submission, the state of the client 07-tendermint-9.',
    )
    expect(lines(explanation)).toContain('Status of the substitute at submission: Active')
  })
})
