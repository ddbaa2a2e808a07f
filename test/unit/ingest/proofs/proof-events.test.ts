// Tests the events of the proofs of one height: chunks, the limit of the index, and metrics.
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import { known, unavailable } from '../../../../ingest/chain/answer.ts'
import { decodeEvent, encodeEvent } from '../../../../ingest/contract/codec.ts'
import { createIngestMetrics } from '../../../../ingest/ingest-metrics.ts'
import type { ProofRead } from '../../../../ingest/proofs/proof.ts'
import { createProofEvents } from '../../../../ingest/proofs/proof-events.ts'
import { fitEvent } from '../../../../ingest/publish/fit-event.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { ofType } from '../../../support/chain/ingest-run.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const createProofRead = (id: number, bytes: number): ProofRead => ({
  proposalId: `${id}`,
  round: 0,
  found: known({
    value: Buffer.alloc(bytes, id),
    proofOps: [{ type: 'ics23:iavl', key: 'AA==', data: 'BBBB'.repeat(Math.ceil(bytes / 3)) }],
  }),
})
const missing = (id: number): ProofRead => ({
  proposalId: `${id}`,
  round: 0,
  found: unavailable('gone'),
})

const setup = async (proofs: readonly ProofRead[]) => {
  const metrics = createMetrics('ingest')
  const { logger, lines } = recordingLogger()
  const proofEvents = createProofEvents(undefined, {
    logger,
    metrics: createIngestMetrics(metrics),
  })
  const all = proofEvents.createEvents(createBlock(9), { lightBlock: unavailable('none'), proofs })
  for (const event of all) expect(decodeEvent(encodeEvent(event))).toMatchObject({ ok: true })
  const text = await metrics.registry.metrics()
  const counted = (outcome: string) =>
    Number(new RegExp(`proofs_total{outcome="${outcome}"} (\\d+)`).exec(text)?.[1])
  return { all, events: ofType(all, 'rollcall.proposal.proof.v1'), lines, counted }
}

describe('the events of proofs', () => {
  it('split a value of more than 512 KiB of base64 into chunks, each with the proof', async () => {
    const { events } = await setup([createProofRead(1, 900_000), createProofRead(2, 10)])
    expect(
      events.map(({ index, data }) => [index, data.proposalId, data.chunk, data.chunks]),
    ).toEqual([
      [2, '1', 0, 3],
      [3, '1', 1, 3],
      [4, '1', 2, 3],
      [5, '2', 0, 1],
    ])
    const joined = events.slice(0, 3).map(({ data }) => data.value)
    expect(Buffer.alloc(900_000, 1).equals(Buffer.from(joined.join(''), 'base64'))).toBe(true)
    for (const { data } of events) expect(data.proofOps).toHaveLength(1)
  })

  it('are null with the reason if the proofs of a height are too large together', async () => {
    const { events, counted } = await setup([
      createProofRead(1, 3_000_000),
      createProofRead(2, 3_000_000),
      createProofRead(3, 9),
    ])
    expect(events.map(({ data }) => data.proposalId)).toEqual(['1', '2', '3'])
    expect(events.slice(0, 2).map(({ data }) => [data.value, data.reason])).toEqual(
      Array.from({ length: 2 }, () => [
        null,
        'left out: the proofs of the height have more than 33554432 bytes',
      ]),
    )
    expect(events[2]?.data.reason).toBeNull()
    expect([counted('kept'), counted('missing'), counted('no_space')]).toEqual([1, 2, 0])
  })

  it('beyond the index of the height are counted, with an alert', async () => {
    const { all, events, counted, lines } = await setup(
      Array.from({ length: 4_128 }, (_, n) => missing(n + 1)),
    )
    expect(all.at(-1)?.index).toBe(4_095)
    expect(events).toHaveLength(4_094)
    expect([counted('kept'), counted('missing'), counted('no_space')]).toEqual([0, 4_094, 34])
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['error', 'left out proofs: the index of the height is full'],
      ['warn', 'indexed without proofs'],
    ])
  })

  it('are null with the reason if the log accepts only smaller events, because a part of a proof proves nothing', async () => {
    const { events } = await setup([createProofRead(1, 90_000)])
    const smaller = fitEvent(events[0]!, 50_000)
    expect(decodeEvent(encodeEvent(smaller))).toMatchObject({ ok: true })
    expect(smaller.data).toMatchObject({
      value: null,
      proofOps: null,
      reason: expect.stringContaining('the log takes 50000'),
      omitted: [{ path: '/value' }, { path: '/proofOps' }],
    })
  })
})
