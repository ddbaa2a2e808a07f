// Tests how many reads the reconstruction of a vote takes.
import { expect, it } from 'vitest'
import { isKnown } from '../../../../ingest/chain/answer.ts'
import { reconstruct } from '../../../../ingest/past-rounds/reconstruct.ts'
import { historyReads } from '../../../support/chain/history-run.ts'
import { createHubVote } from '../../../support/chain/hub-vote.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'

const countReads = async (voters: number) => {
  const { node, target, tip, reads } = await createHubVote({ voters, others: 100_000 })
  const overrides = { tip, nodes: [{ name: 'archive', node }] }
  const answer = await reconstruct(target, historyReads(createMemoryChain(), overrides))
  const drafts = isKnown(answer) ? answer.value.drafts : []
  const ballots = drafts.flatMap(({ type, data }) =>
    type === 'rollcall.round.read.v1' ? data.ballots : [],
  )
  expect(ballots.length).toBe(voters)
  return [...reads.values()].reduce((sum, count) => sum + count, 0)
}

it.each([300, 1_000])(
  'takes at most 500 reads for %d voters on a chain of the size of the Hub',
  async (voters) => {
    expect(await countReads(voters)).toBeLessThanOrEqual(500)
  },
)
