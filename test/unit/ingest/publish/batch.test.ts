// Tests markers: one after each height with events, one for several heights without events.
import { describe, expect, it } from 'vitest'
import { decodeEvent } from '../../../../ingest/contract/codec.ts'
import { PARSER_VERSION } from '../../../../ingest/derive/derive.ts'
import { eventAt } from '../../../../ingest/derive/event-at.ts'
import { createBatchBuilder, MAX_QUIET_HEIGHTS } from '../../../../ingest/publish/batch.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'

const createHeight = (height: number, events = 0, openSince: number | null = null) => {
  const block = createBlock(height)
  return {
    block,
    tip: 5_000,
    openSince,
    events: Array.from({ length: events }, (_, order) =>
      eventAt(
        block,
        { ordinal: order + 1, sub: 0 },
        { type: 'rollcall.proposal.dropped.v1', data: { proposalId: '1', result: 'x' } },
      ),
    ),
  }
}

const readMarkers = (builder: ReturnType<typeof createBatchBuilder>) =>
  (builder.peek()?.entries ?? []).flatMap(({ value }) => {
    const decoded = decodeEvent(value)
    if (!decoded.ok) throw new Error(decoded.reason)
    return decoded.event.type === 'rollcall.block.indexed.v1' ? [decoded.event] : []
  })

describe('a batch', () => {
  it('puts one marker after a height with events that also covers the heights without events before it', () => {
    const builder = createBatchBuilder()
    for (const height of [5, 6, 7]) builder.add(createHeight(height))
    expect(builder.peek()).toBeUndefined()
    builder.add(createHeight(8, 2, 3))
    const [marker] = readMarkers(builder)
    expect(marker?.height).toBe(8)
    expect(marker?.data).toEqual({
      from: 5,
      hash: createBlock(8).hash,
      previousHash: createBlock(4).hash,
      events: 2,
      tip: 5_000,
      parserVersion: PARSER_VERSION,
      openSince: 3,
    })
    expect(builder.peek()).toMatchObject({ height: 8, heights: 4 })
    expect(builder.peek()?.entries.at(-1)?.height).toBe(8)
  })

  it('puts a marker after a thousand heights without events', () => {
    const builder = createBatchBuilder()
    for (let height = 1; height <= 2 * MAX_QUIET_HEIGHTS + 1; height++)
      builder.add(createHeight(height))
    expect(readMarkers(builder).map(({ data, height }) => [data.from, height])).toEqual([
      [1, 1_000],
      [1_001, 2_000],
    ])
  })

  it('puts a marker after heights without events on request, once', () => {
    const builder = createBatchBuilder()
    builder.add(createHeight(1))
    builder.mark()
    builder.mark()
    expect(readMarkers(builder)).toHaveLength(1)
  })

  it('keeps unmarked heights for the next batch', () => {
    const builder = createBatchBuilder()
    builder.add(createHeight(1, 1))
    builder.add(createHeight(2))
    builder.clear()
    builder.add(createHeight(3, 1))
    expect(readMarkers(builder).map(({ data }) => data.from)).toEqual([2])
  })

  it('gives each entry the height and time of its block', () => {
    const builder = createBatchBuilder()
    builder.add(createHeight(1, 1))
    expect(builder.peek()?.entries.map(({ height, timeMs }) => [height, timeMs])).toEqual([
      [1, Date.parse(createBlock(1).time)],
      [1, Date.parse(createBlock(1).time)],
    ])
  })
})
