// Tests a proposal that one of several endpoints lacks: from the chain to the tables.
import { describe, expect, it } from 'vitest'
import {
  type Answerer,
  createForgetful,
  DEAD,
  overEndpoints,
} from '../../support/chain/endpoint-opinions.ts'
import { AT, createForkedChain, type Variant } from '../../support/chain/forked-chain.ts'
import { FIRST_READING, index, proposal, SECOND_READING } from '../../support/chain/forked-run.ts'
import { startOn } from '../../support/chain/ingest-run.ts'
import type { MemoryChain } from '../../support/chain/memory-chain.ts'
import { waitUntil } from '../../support/chain/source-rig.ts'
import { openMemoryLog } from '../../support/log/memory-log.ts'

const createLiar = (chain: MemoryChain): MemoryChain =>
  createForgetful(chain, (height) => height >= AT.end)

const run = async (chain: MemoryChain, endpoints: readonly Answerer[]) => {
  const { node, blames } = overEndpoints(chain, endpoints)
  return { ...(await index(node)), blames }
}

describe('a proposal that one of two endpoints lacks', () => {
  it.each<Variant>(['never ended', 'vetoed silently', 'ended by an upgrade'])(
    'stays open with one alert, because the endpoints disagree: %s',
    async (variant) => {
      const chain = createForkedChain([variant], 60)
      const { found, lines, tables, blames } = await run(chain, [createLiar(chain), chain])
      expect(found).toEqual([[FIRST_READING, 'contradicted', 'periodic']])
      expect(proposal(tables)).toMatchObject({ status: 'voting_period', history: 'complete' })
      const alerts = lines.filter(({ level, finding }) => level === 'error' && finding)
      expect(alerts).toMatchObject([{ proposalId: '1', finding: 'contradicted' }])
      expect(blames).toEqual([])
    },
  )

  it('is a reason of the readiness', async () => {
    const chain = createForkedChain(['never ended'])
    const running = await startOn(
      overEndpoints(chain, [createLiar(chain), chain]).node,
      openMemoryLog(),
    )
    await waitUntil(() => running.progress().height === 102, 'the tip is indexed')
    expect(running.readiness().reasons).toEqual([expect.stringContaining('another one lacks it')])
    await running.close()
  })

  it('ends as the state says once both endpoints have it again', async () => {
    const chain = createForkedChain(['ended by an upgrade'])
    const brief = createForgetful(chain, (height) => height === FIRST_READING)
    const { found, tables } = await run(chain, [brief, chain])
    expect(found).toEqual([
      [FIRST_READING, 'contradicted', 'periodic'],
      [SECOND_READING, 'closed', 'periodic'],
    ])
    expect(proposal(tables).status).toBe('rejected')
  })

  it.each<[Variant, number, 'periodic' | 'result' | 'event']>([
    ['deleted', FIRST_READING, 'periodic'],
    ['deleted with an event', AT.act, 'event'],
    ['forbidden', AT.end, 'result'],
    ['dropped silently', FIRST_READING, 'periodic'],
  ])('is deleted at once if the other one lacks it too: %s', async (variant, height, cause) => {
    const chain = createForkedChain([variant])
    const { found } = await run(chain, [chain, chain])
    expect(found).toEqual([[height, 'deleted', cause]])
  })

  it.each<Variant>(['deleted', 'deleted at its end'])(
    'is deleted after a repeat if the other one does not answer: %s',
    async (variant) => {
      const chain = createForkedChain([variant])
      const { found } = await run(chain, [chain, DEAD])
      expect(found).toEqual([
        [FIRST_READING, 'missing', 'periodic'],
        [SECOND_READING, 'deleted', 'periodic'],
      ])
    },
  )

  it('restarts its expedited vote once, as the event of x/gov says', async () => {
    const chain = createForkedChain(['converted'], undefined, {
      result: 'expedited_proposal_rejected',
    })
    const brief = createForgetful(chain, (height) => height === AT.end)
    const blind: Answerer = {
      abciQuery: async (request) =>
        request.height === AT.end ? { kind: 'pruned', log: 'gone' } : chain.abciQuery(request),
    }
    for (const endpoints of [[createLiar(chain), chain], [brief], [blind]]) {
      const { tables } = await run(chain, endpoints)
      expect(proposal(tables)).toMatchObject({ status: 'passed', round: 2 })
    }
  })
})

describe('a proposal about which three endpoints differ', () => {
  it.each<[Variant, string, string]>([
    ['vetoed silently', 'closed', 'vetoed'],
    ['prolonged silently', 'changed', 'voting_period'],
  ])(
    'is as the two say that have it, and the other one is named: %s',
    async (variant, finding, status) => {
      const chain = createForkedChain([variant])
      const { tables, blames, ...answer } = await run(chain, [createLiar(chain), chain, chain])
      expect(answer.found).toEqual([[FIRST_READING, finding, 'periodic']])
      expect(proposal(tables).status).toBe(status)
      expect(blames).toContainEqual({
        endpoint: 0,
        reason: expect.stringContaining('does not have proposal 1'),
      })
    },
  )

  it('is deleted if two lack it, and the one that has it is named', async () => {
    const chain = createForkedChain(['deleted'])
    const stale = createForkedChain(['never ended'])
    const { found, blames } = await run(chain, [chain, stale, chain])
    expect(found).toEqual([[FIRST_READING, 'deleted', 'periodic']])
    expect(blames).toContainEqual({
      endpoint: 1,
      reason: expect.stringContaining('has proposal 1'),
    })
  })
})
