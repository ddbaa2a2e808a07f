// Builders of events about a proposal's messages for tests: affected state and long bytes.
import { hash } from 'node:crypto'
import type { EventOf } from '../../../ingest/contract/events.ts'
import type { EventBuilder } from './governance-events.ts'
import { createEvent } from './governance-values.ts'

/** `sub` 2 at the submission; a later event has its own sub after all ABCI events. */
export const proposalContext = (
  proposalId: string,
  changes: Partial<EventOf<'rollcall.proposal.context.v1'>['data']> = {},
): EventBuilder => {
  const data = { proposalId, observations: [], ...changes }
  return (height, ordinal) =>
    createEvent(
      'rollcall.proposal.context.v1',
      { height, ordinal, sub: 2, subject: `proposals/${proposalId}` },
      data,
    )
}

/** One chunk with all bytes of a field of the first message. */
export const messageBytes = (
  proposalId: string,
  bytes: Buffer,
  changes: Partial<EventOf<'rollcall.message.bytes.v1'>['data']> = {},
): EventBuilder => {
  const field = { proposalId, message: 0, path: '/wasm_byte_code', chunk: 0, chunks: 1 }
  const digest = { sha256: hash('sha256', bytes, 'hex'), size: bytes.length }
  const data = { ...field, ...digest, bytes: bytes.toString('base64'), ...changes }
  return (height, ordinal) =>
    createEvent(
      'rollcall.message.bytes.v1',
      { height, ordinal, sub: 3 + data.chunk, subject: `proposals/${proposalId}` },
      data,
    )
}
