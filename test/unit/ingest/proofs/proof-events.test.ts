// Tests the events of the proofs of one height: chunks, and the limits of a height and of the log.
import { expect, it } from 'vitest'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import { known, unavailable } from '../../../../ingest/chain/answer.ts'
import { decodeEvent, encodeEvent } from '../../../../ingest/contract/codec.ts'
import { createIngestMetrics } from '../../../../ingest/ingest-metrics.ts'
import type { ProofRead } from '../../../../ingest/proofs/proof.ts'
import { createProofEvents } from '../../../../ingest/proofs/proof-events.ts'
import { fitEvent } from '../../../../ingest/publish/fit-event.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { ofType } from '../../../support/chain/ingest-run.ts'
import { recordingLogger, silentLogger } from '../../../support/process/log-lines.ts'

/** Of proposals 1, 2 and so on, with values of so many bytes. */
const createEvents = (sizes: readonly number[], logger = silentLogger()) => {
  const proofs = sizes.map(
    (bytes, at): ProofRead => ({
      proposalId: `${at + 1}`,
      round: 0,
      found: known({
        value: Buffer.alloc(bytes, at + 1),
        proofOps: [{ type: 'ics23:iavl', key: 'AA==', data: 'BBBB'.repeat(Math.ceil(bytes / 3)) }],
      }),
    }),
  )
  const metrics = createIngestMetrics(createMetrics('ingest'))
  const proofEvents = createProofEvents(undefined, { logger, metrics })
  const read = { lightBlock: unavailable('none'), proofs }
  const events = proofEvents.createEvents(createBlock(9), read)
  for (const event of events) expect(decodeEvent(encodeEvent(event))).toMatchObject({ ok: true })
  return ofType(events, 'rollcall.proposal.proof.v1')
}

it('a value of more than 512 KiB of base64 is split into chunks, each with the proof', () => {
  const events = createEvents([900_000, 10])
  const chunks = events.map(({ index, data }) => [index, data.proposalId, data.chunk, data.chunks])
  expect(chunks).toEqual([
    [2, '1', 0, 3],
    [3, '1', 1, 3],
    [4, '1', 2, 3],
    [5, '2', 0, 1],
  ])
  const joined = events.slice(0, 3).map(({ data }) => data.value)
  expect(Buffer.alloc(900_000, 1).equals(Buffer.from(joined.join(''), 'base64'))).toBe(true)
  for (const { data } of events) expect(data.proofOps).toHaveLength(1)
})

it('the proofs of a height that are too large together are null with the reason', () => {
  const reason = 'left out: the proofs of the height have more than 33554432 bytes'
  const events = createEvents([3_000_000, 3_000_000, 9])
  expect(events.map(({ data }) => [data.proposalId, data.value === null, data.reason])).toEqual([
    ['1', true, reason],
    ['2', true, reason],
    ['3', false, null],
  ])
})

it('proofs beyond the index of the height are left out, with an alert', () => {
  const { logger, lines } = recordingLogger()
  const events = createEvents(new Array(4_128).fill(1), logger)
  expect([events.length, events.at(-1)?.index]).toEqual([4_094, 4_095])
  const msg = 'left out proofs: the index of the height is full'
  expect(lines).toMatchObject([{ level: 'error', msg, leftOut: 34 }])
})

it('a proof is null with the reason if the log accepts only smaller events: a part of it proves nothing', () => {
  const smaller = fitEvent(createEvents([90_000])[0]!, 50_000)
  expect(decodeEvent(encodeEvent(smaller))).toMatchObject({ ok: true })
  expect(smaller.data).toMatchObject({
    value: null,
    proofOps: null,
    reason: expect.stringContaining('the log takes 50000'),
    omitted: [{ path: '/value' }, { path: '/proofOps' }],
  })
})
