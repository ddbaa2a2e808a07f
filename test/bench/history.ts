// Counts the requests for one reconstructed vote of the size of the Cosmos Hub, and what of it is kept.
// The baseline is the same vote with one request for the delegations of each voter.
import { isKnown } from '../../ingest/chain/answer.ts'
import { reconstruct } from '../../ingest/past-rounds/reconstruct.ts'
import { historyReads } from '../support/chain/history-run.ts'
import { createHubVote } from '../support/chain/hub-vote.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { computeSpread, type Finding } from './measure.ts'
import type { Measurement } from './measurement.ts'

const VOTERS = [300, 2_000, 20_000]
const POOLS = 542
const BONDED = 180
/** Delegations of accounts that did not vote. */
const OTHERS = 1_000_000
const MIB = 2 ** 20

const measure = async (voters: number): Promise<Finding> => {
  const { node, target, tip, reads } = await createHubVote({
    voters,
    pools: POOLS,
    bonded: BONDED,
    others: OTHERS,
  })
  const nodes = [{ name: 'archive', node }]
  const startedMs = performance.now()
  const answer = await reconstruct(target, historyReads(createMemoryChain(), { tip, nodes }))
  const tookMs = performance.now() - startedMs
  if (!isKnown(answer)) throw new Error(answer.unavailable)
  const all = [...reads.values()].reduce((sum, count) => sum + count, 0)
  const pages = reads.get('ValidatorDelegations') ?? 0
  const byVoter = all - pages + (pages > 0 ? voters : 0)
  const kinds = [...reads].map(([kind, count]) => `${kind} ${count}`).join(', ')
  return {
    name: `history-${voters}`,
    unit: 'requests/vote',
    subject: { label: `a vote of ${voters} voters`, figure: computeSpread([all]) },
    baseline: { label: 'with a request for each voter', figure: computeSpread([byVoter]) },
    ratio: computeSpread([all / byVoter]),
    target: null,
    notes: [
      kinds,
      `${(answer.value.bytes / MIB).toFixed(1)} MiB of JSON in ${answer.value.drafts.length} events`,
      `${(tookMs / 1_000).toFixed(1)} s with the simulated node; ${Math.round(process.memoryUsage().rss / MIB)} MiB of memory with its state`,
    ],
  }
}

export const history: Measurement = {
  name: 'history',
  question: 'how many requests does one past vote take?',
  run: async () => {
    const findings: Finding[] = []
    for (const voters of VOTERS) findings.push(await measure(voters))
    return findings
  },
}
