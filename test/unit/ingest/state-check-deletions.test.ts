// Tests when a proposal that the state lacks has ended: from the chain to the tables.
import { describe, expect, it } from 'vitest'
import { createForgetful } from '../../support/chain/endpoint-opinions.ts'
import { AT, createForkedChain } from '../../support/chain/forked-chain.ts'
import {
  FIRST_READING,
  index,
  proposal,
  run,
  SECOND_READING,
  timestamp,
} from '../../support/chain/forked-run.ts'
import { startOn } from '../../support/chain/ingest-run.ts'
import { waitUntil } from '../../support/chain/source-rig.ts'
import { openMemoryLog } from '../../support/log/memory-log.ts'

describe('a proposal that the state lacks', () => {
  it('is canceled if its proposal is deleted, and dropped after the end of its deposit period', async () => {
    const deleted = await run('deleted')
    expect(deleted.found).toEqual([
      [FIRST_READING, 'missing', 'periodic'],
      [SECOND_READING, 'deleted', 'periodic'],
    ])
    expect(proposal(deleted.tables)).toMatchObject({
      status: 'canceled',
      closed_time: timestamp(AT.act),
    })
    const dropped = await run('dropped silently')
    expect(dropped.found).toEqual([
      [FIRST_READING, 'missing', 'periodic'],
      [SECOND_READING, 'deleted', 'periodic'],
    ])
    expect(proposal(dropped.tables)).toMatchObject({
      status: 'dropped',
      closed_time: timestamp(AT.end),
    })
  })

  it.each([
    ['deleted with an event', AT.act, 'event', FIRST_READING, 'periodic', 'canceled', AT.act],
    ['deleted at its end', FIRST_READING, 'periodic', SECOND_READING, 'periodic', 'canceled', 12],
    // Its deposit period was not over.
    ['dropped with an event', AT.act, 'event', FIRST_READING, 'periodic', 'canceled', AT.act],
    ['dropped late', FIRST_READING, 'periodic', SECOND_READING, 'periodic', 'dropped', AT.lateDrop],
  ] as const)(
    'counts as deleted when the state lacks it twice: %s',
    async (variant, first, cause, second, nextCause, status, closed) => {
      const { found, tables, lines } = await run(variant)
      expect(found).toEqual([
        [first, 'missing', cause],
        [second, 'deleted', nextCause],
      ])
      expect(proposal(tables)).toMatchObject({ status, closed_time: timestamp(closed) })
      expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', finding: 'missing' }))
    },
  )
})

describe('a proposal that the only endpoint lacks for a while', () => {
  it('stays open, and ends as the state says afterwards', async () => {
    const once = (height: number) => height === FIRST_READING
    const open = await index(createForgetful(createForkedChain(['never ended']), once))
    expect(open.found).toEqual([
      [FIRST_READING, 'missing', 'periodic'],
      [SECOND_READING, 'changed', 'periodic'],
    ])
    expect(proposal(open.tables)).toMatchObject({ status: 'voting_period', history: 'complete' })
    const ended = await index(createForgetful(createForkedChain(['ended by an upgrade']), once))
    expect(ended.found).toEqual([
      [FIRST_READING, 'missing', 'periodic'],
      [SECOND_READING, 'closed', 'periodic'],
    ])
    expect(proposal(ended.tables)).toMatchObject({
      status: 'rejected',
      closed_time: timestamp(AT.act),
    })
  })

  it('does not count readings before one that has it', async () => {
    const times = [FIRST_READING, SECOND_READING + 50]
    const chain = createForgetful(createForkedChain(['never ended'], 202), (at) =>
      times.includes(at),
    )
    const { found, tables } = await index(chain)
    expect(found).toEqual([
      [FIRST_READING, 'missing', 'periodic'],
      [SECOND_READING, 'changed', 'periodic'],
      [SECOND_READING + 50, 'missing', 'periodic'],
      [SECOND_READING + 100, 'changed', 'periodic'],
    ])
    expect(proposal(tables)).toMatchObject({ status: 'voting_period', closed_time: null })
  })

  it('is a reason of the readiness until a later height decides', async () => {
    const chain = createForgetful(
      createForkedChain(['never ended'], 60),
      (at) => at === FIRST_READING,
    )
    const running = await startOn(chain, openMemoryLog())
    await waitUntil(() => running.progress().height === 60, 'the tip is indexed')
    expect(running.readiness().reasons).toEqual([
      expect.stringContaining('endpoint that answered lacks it'),
    ])
    await running.close()
  })
})
