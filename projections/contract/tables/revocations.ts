// The table `revocations`: one declaration of its names, keys and columns.
import { clockTime, label, text, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

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
