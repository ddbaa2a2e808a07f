// Plays the same votes on five chains that count differently, and compares the tallies of the product with those of each node.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAttribute, listCloses } from './chain-facts.ts'
import { compareTallies } from './comparison.ts'
import { type Followed, followChain } from './followed-chain.ts'
import { createRulesChain, PROLONGATION_MS, RULES, type Rule } from './rules/rules-chain.ts'
import { ENDINGS, STORIES } from './rules/stories.ts'

/** Two at a time: each has a node and a product of its own. */
const AT_ONCE = 2
/** The product knows these rules; the other one it finds by its difference. */
const KNOWN_RULES = ['gov', 'extra', 'governors', 'alone'] as const satisfies readonly Rule[]

describe('chains that count differently', () => {
  const runs = new Map<Rule, Followed>()
  const closers: (() => Promise<unknown>)[] = []
  const findRun = (rule: Rule): Followed => {
    const run = runs.get(rule)
    if (!run) throw new Error(`no chain counts by ${rule}`)
    return run
  }
  const findItem = (rule: Rule, name: string) =>
    findRun(rule).items.find(({ title }) => title === name)
  const findClose = (rule: Rule, name: string): number => {
    const { events, scene } = findRun(rule)
    const [close] = listCloses(events, scene.id(name))
    if (!close) throw new Error(`${name} is not closed on the chain of ${rule}`)
    return close.height
  }

  beforeAll(async () => {
    const left = [...RULES]
    const followAll = async () => {
      for (let rule = left.shift(); rule; rule = left.shift()) {
        const story = { spec: await createRulesChain(rule), play: STORIES[rule] }
        runs.set(rule, await followChain(story, (close) => closers.push(close)))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, followAll))
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  it.each(RULES)('ends each vote of a chain that counts by %s as its rule says', async (rule) => {
    const { scene, lastHeight } = findRun(rule)
    const ended: Record<string, string | undefined> = {}
    for (const [name, id] of scene.proposals) {
      ended[name] = (await scene.state.proposal(id, lastHeight))?.status
    }
    expect(ended).toEqual(ENDINGS[rule])
  })

  describe.each(KNOWN_RULES)('a chain that counts by %s', (rule) => {
    // No event says that the steward's hook vetoed a vote: the product finds it later.
    compareTallies(() => findRun(rule), { except: ['vetoed'] })
  })

  it('tallies twice in one end block, and the second time of fewer pools', async () => {
    const { state } = findRun('gov').scene
    const close = findClose('gov', 'shrink')
    expect(findClose('gov', 'afterShrink')).toBe(close)
    // No stake moves in that block: its end is without the pool that the second tally left out.
    const [before, after] = [await state.bondedTokens(close - 1), await state.bondedTokens(close)]
    expect(BigInt(after)).toBeLessThan(BigInt(before))
    expect(findItem('gov', 'shrink')?.tally?.bondedTokens).toBe(before)
    expect(findItem('gov', 'afterShrink')?.tally?.bondedTokens).toBe(after)
    const { yes = '', no = '', abstain = '' } = findItem('gov', 'afterShrink')?.tally ?? {}
    // Of the pool's whole balance the quorum of 33.4 % is missed.
    expect((BigInt(yes) + BigInt(no) + BigInt(abstain)) * 1_000n).toBeLessThan(
      BigInt(before) * 334n,
    )
  })

  it('moves stake after the tally of a closing block, which would have turned the result', async () => {
    const { events, scene } = findRun('gov')
    const close = findClose('gov', 'epoch')
    const moved = events.filter(
      ({ type, height, isInTx }) =>
        height === close && !isInTx && /^(?:delegate|unbond)$/.test(type),
    )
    expect(moved.map(({ type }) => type).sort()).toEqual(['delegate', 'unbond'])
    const before = await scene.state.tally(scene.id('epoch'), close - 1)
    const closed = await scene.state.proposal(scene.id('epoch'), close)
    expect(closed?.finalTally).toEqual(before)
  })

  it('prolongs one vote and ends another one at once, without an event that says so', async () => {
    const { events, scene } = findRun('gov')
    const readChange = async (name: string): Promise<number> => {
      const id = scene.id(name)
      const first = events.find((event) => findAttribute(event, 'proposal_id') === String(id))
      const planned = await scene.state.proposal(id, first?.height ?? 0)
      const real = await scene.state.proposal(id, findClose('gov', name))
      return (real?.votingEndTime ?? 0) - (planned?.votingEndTime ?? 0)
    }
    expect(await readChange('prolonged')).toBe(PROLONGATION_MS)
    expect(await readChange('endedEarly')).toBeLessThan(-10_000)
  })

  it('has the tallies of the node while a vote is open, and says that they differ from its own, if no known rule gives them', () => {
    const { live, items } = findRun('twice')
    expect(live.reported).toBeGreaterThan(0)
    expect(live.differences).toEqual([])
    for (const { title, tally } of items) {
      expect(['no', 'unknown'], title).toContain(tally?.matchesChain)
      expect(tally?.matchesChainReason, title).toMatch(/\S/)
    }
  })
})
