// Runs random chains with hostile blocks, stake, votes, proposals and nodes.
// After every height the tally of each open vote equals the chain's own, and no close reports a difference.
import { expect, it } from 'vitest'
import { runHostileChain } from './hostile-chain/run.ts'
import { forEachSeed, isWhole } from './seeds.ts'

const SEEDS = 60
/** 182: a node that does not say where its end block begins, and a proposal whose own messages vote and delegate after its tally. */
const REGRESSIONS = [182]

it('serves the chain’s own tally after every height of every hostile chain, and no process ends', async () => {
  const seen = { heights: 0, openVotes: 0, closes: 0, restarts: 0, overRpc: 0, crowded: 0 }
  const seeds = {
    file: import.meta.url,
    count: SEEDS,
    regressions: REGRESSIONS,
    lanes: 2,
    deadlineMs: 240_000,
  }
  await forEachSeed(seeds, async (dice) => {
    const { expected, profile } = await runHostileChain(dice)
    const heights = expected.filter(({ height }) => height >= profile.startHeight)
    seen.heights += heights.length
    for (const { open, tallied } of heights) {
      seen.openVotes += open.length
      seen.closes += tallied.length
      seen.restarts += open.filter(({ round }) => round > 1).length
    }
    seen.overRpc += profile.overRpc ? 1 : 0
    seen.crowded += heights.some(({ height }) => profile.crowdAt(height) > 500_000) ? 1 : 0
  })
  if (!isWhole(seeds)) return
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
  expect(seen.openVotes).toBeGreaterThan(2_000)
})
