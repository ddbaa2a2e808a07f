// The tables of agents.
import { clockTime, label, nullable, text, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

/** From the log of agents, without the secrets of an attempt and their hashes. The wallet itself is only in that log. */
export const claims = defineTable('claims', {
  comment: 'One row per registration that a human was asked to claim',
  key: ['registrationId'],
  version: 'version',
  granularity: 256,
  columns: {
    registrationId: text("The agent's registration: reg_…"),
    attemptId: text('Its claim, or its latest attempt: cla_…'),
    state: label<'started' | 'denied' | 'completed'>(
      'started, denied, completed; the first completed one of a registration is permanent',
    ),
    clientName: nullable(text('What the agent calls itself')),
    chainId: nullable(text('Chain of the wallet; NULL until completed')),
    algorithm: nullable(label('secp256k1 or eth-secp256k1; NULL until completed')),
    registeredAt: clockTime('When the agent registered'),
    startedAt: clockTime('When this attempt began'),
    expires: clockTime('When this attempt ends, or ended'),
    decidedAt: nullable(clockTime('When it was completed or denied; NULL before')),
    eventId: text('CloudEvents id of the event this row follows'),
    version: uint64('Offset in the log of the event this row follows'),
  },
})
export type ClaimRow = RowOf<typeof claims>

/** From the log of agents. */
export const revocations = defineTable('revocations', {
  comment: 'One row per revocation; a token that is revoked twice has two',
  key: ['tokenId', 'version'],
  version: 'version',
  granularity: 256,
  columns: {
    tokenId: text('Number of the token (jti)'),
    kind: label(
      'access_token, or identity_assertion, which ends the registration and all its tokens',
    ),
    subject: text('Subject of the token: a registration, or a client without one'),
    revokedAt: clockTime('When the token was revoked'),
    expires: clockTime('When the token would have ended by itself'),
    eventId: text('CloudEvents id of the event this row follows'),
    version: uint64('Offset in the log of the event this row follows'),
  },
})
export type RevocationRow = RowOf<typeof revocations>
