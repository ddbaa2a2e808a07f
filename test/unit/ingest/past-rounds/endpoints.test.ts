// Tests endpoints that disagree about past state: the chain's own result decides, else a second endpoint.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { isKnown } from '../../../../ingest/chain/answer.ts'
import type { ChainReader } from '../../../../ingest/comet/endpoints/node.ts'
import type { TallyRule } from '../../../../ingest/contract/tally-rule.ts'
import { reconstruct } from '../../../../ingest/past-rounds/reconstruct.ts'
import {
  addAll,
  begin,
  close,
  closedProposal,
  fixedRule,
  historyReads,
} from '../../../support/chain/history-run.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { voteTx } from '../../../support/simulator/gov-events.ts'

/** The chain’s result is right if alice has 50 of the first pool. */
const withStake = (stake: bigint, yes = '75'): MemoryChain =>
  addAll(createMemoryChain(), [
    [{}],
    [{}, ({ delegations }) => void delegations.get('alice')?.set('one', stake)],
    begin('1', { from: 3, until: 6 }),
    [{ txs: [voteTx('1', 'alice')] }],
    [{}],
    close('1', { yes }),
    [{}],
  ])

const run = async (
  nodes: Record<string, ChainReader>,
  latest = withStake(50n),
  rule: TallyRule = 'gov',
) => {
  const { logger, lines } = recordingLogger()
  let mismatches = 0
  const metrics = {
    tallyRereads: { inc: () => undefined },
    tallyMismatches: {
      inc: () => {
        mismatches += 1
      },
    },
    ballotChecks: { inc: () => undefined },
  }
  const named = Object.entries(nodes).map(([name, node]) => ({ name, node }))
  const reads = historyReads(latest, { nodes: named, logger, metrics, rules: fixedRule(rule) })
  const answer = await reconstruct(await closedProposal(latest, '1'), reads)
  const drafts = isKnown(answer) ? answer.value.drafts : []
  const [ballot] = drafts.flatMap(({ type, data }) =>
    type === 'rollcall.round.read.v1' ? data.ballots : [],
  )
  return {
    voter: ballot?.voter,
    stake: ballot?.delegations?.map(({ shares }) => Number.parseInt(shares, 10)).sort(),
    reason: isKnown(answer) ? null : answer.unavailable,
    lines: lines.map(({ level, msg }) => [level, msg]),
    mismatches,
  }
}

const pruned = (): MemoryChain => {
  const chain = withStake(50n)
  chain.prunedBelow = chain.tip
  return chain
}

const HONEST = [20, 5, 50].sort()

describe('endpoints that disagree about past state', () => {
  it('lose against the one whose inputs give the chain’s result', async () => {
    const found = await run({ wrong: withStake(51n), worse: withStake(52n), right: withStake(50n) })
    expect(found).toMatchObject({ voter: account('alice'), stake: HONEST, mismatches: 0 })
    expect(found.lines).toEqual([])
  })

  it('are believed if two of them agree, although their tally differs from the chain’s', async () => {
    const nodes = { one: withStake(51n), other: withStake(52n), third: withStake(51n) }
    const found = await run(nodes)
    expect(found).toMatchObject({ stake: [20, 5, 51].sort(), mismatches: 1 })
    expect(found.lines).toEqual([['error', 'recomputed tally differs from the chain']])
  })

  it('are all named if no two of them agree', async () => {
    const found = await run({ one: withStake(51n), other: withStake(52n), third: withStake(53n) })
    expect(found).toMatchObject({
      reason: 'the endpoints disagree about the vote: one, other, third',
      lines: [],
      mismatches: 0,
    })
  })

  it('are not believed with another result than the latest state has', async () => {
    const found = await run({ wrong: withStake(51n, '76'), right: withStake(50n) })
    expect(found).toMatchObject({ stake: HONEST, lines: [] })
    expect((await run({ wrong: withStake(51n, '76') })).reason).toBe(
      'wrong: its past state has another final tally than the latest state',
    )
  })

  it('have the block of each other if one has discarded its results', async () => {
    const chain = withStake(50n)
    const block: ChainReader['block'] = async (height) => {
      throw new AppError('HEIGHT_UNAVAILABLE', `no results of height ${height}`)
    }
    const bare = { ...chain, block }
    expect(await run({ bare, other: pruned() })).toMatchObject({ stake: HONEST, reason: null })
    expect((await run({ bare })).reason).toBe('bare: no endpoint has the block of height 6')
    const moved: ChainReader = {
      ...pruned(),
      block: async (height) => ({ ...(await chain.block(height)), previousHash: 'AA' }),
    }
    expect((await run({ bare, moved })).reason).toMatch(
      /^bare: the endpoints disagree about the block of height 6; moved: /,
    )
  })

  it('are compared on a chain whose tally is not recomputed', async () => {
    const same = { one: withStake(50n), other: withStake(50n) }
    expect(await run(same, withStake(50n), 'own')).toMatchObject({ stake: HONEST })
    const different = { one: withStake(50n), other: withStake(51n) }
    expect((await run(different, withStake(50n), 'own')).reason).toBe(
      'the endpoints disagree about the vote: one, other',
    )
  })
})
