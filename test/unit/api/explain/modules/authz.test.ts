// Authorizations of one account for another, and their end.
import { describe, expect, it } from 'vitest'
import { ATOM, explain, lines } from '../../../../support/api/explained.ts'

describe('authorizations', () => {
  it('show the granted type, the grantee and the expiration', () => {
    const grant = (authorization: Record<string, unknown>) => ({
      '@type': '/cosmos.authz.v1beta1.MsgGrant',
      granter: 'cosmos1r',
      grantee: 'cosmos1e',
      grant: { authorization, expiration: null },
    })
    const generic = explain(
      grant({
        '@type': '/cosmos.authz.v1beta1.GenericAuthorization',
        msg: '/cosmos.gov.v1.MsgVote',
      }),
    )
    expect(generic.summary).toBe(
      'Allows another account to execute “Vote” on behalf of the granter.',
    )
    expect(lines(generic)).toContain('Expires: Never')
    const limit = [{ denom: 'uatom', amount: '1000000' }]
    const send = explain(
      grant({ '@type': '/cosmos.bank.v1beta1.SendAuthorization', spend_limit: limit }),
      {
        displayUnit: ATOM,
      },
    )
    expect(lines(send)).toContain('Limit: 1 ATOM')
  })

  it('show the revoked type', () => {
    const message = {
      '@type': '/cosmos.authz.v1beta1.MsgRevoke',
      granter: 'cosmos1r',
      grantee: 'cosmos1e',
      msg_type_url: '/cosmos.gov.v1.MsgVote',
    }
    expect(explain(message).summary).toBe(
      'Another account can no longer execute “Vote” on behalf of the granter.',
    )
  })
})
