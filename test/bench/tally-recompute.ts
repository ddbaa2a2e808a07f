// Measures the recomputation of a big tally from its reading, as the projections do it.
// The baseline is a bare loop over big integers: the difference is the cost of parsing, grouping and building rows.
import { startBenchChild } from './child.ts'
import { computeSpread, measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'

const BALLOTS = 100_000
const DELEGATIONS = 5
const POOLS = 150

type Added = { tookMs: number; counts: string[] }
type Recomputed = Added & { longestSliceMs: number }

export const tallyRecompute: Measurement = {
  name: 'tally-recompute',
  question: 'what does an exact tally cost in addition to its arithmetic?',
  run: async ({ scope, pairs, log }) => {
    const child = startBenchChild(scope, 'tally')
    await child.ask('prepare', { ballots: BALLOTS, delegations: DELEGATIONS, pools: POOLS })
    const recompute = () => child.ask<Recomputed>('recompute')
    const addUp = () => child.ask<Added>('addUpBarely')
    // Warms up both sides and checks that their sums are equal.
    const [ours, theirs] = [await recompute(), await addUp()]
    if (`${ours.counts}` !== `${theirs.counts}`) {
      throw new Error(`the tally is ${ours.counts}, by the bare loop ${theirs.counts}`)
    }
    const tookMs: number[] = []
    const sliceMs: number[] = []
    const rate = (ms: number): number => (BALLOTS / ms) * 1_000
    const measured = await measurePairs(
      {
        subject: async () => {
          const recomputed = await recompute()
          tookMs.push(recomputed.tookMs)
          sliceMs.push(recomputed.longestSliceMs)
          return rate(recomputed.tookMs)
        },
        baseline: async () => rate((await addUp()).tookMs),
      },
      { pairs, log },
    )
    return [
      {
        name: 'tally-recompute',
        unit: 'ballots/s',
        subject: { label: 'a tally from its reading, in slices', figure: measured.subject },
        baseline: { label: 'a bare loop over parsed big integers', figure: measured.baseline },
        ratio: measured.ratio,
        target: null,
        notes: [
          `${BALLOTS} ballots × ${DELEGATIONS} delegations to ${POOLS} pools, the same sums in both`,
          `${computeSpread(tookMs).median.toFixed(0)} ms for all of it; the longest slice blocked the process for ${computeSpread(sliceMs).max.toFixed(1)} ms`,
        ],
      },
    ]
  },
}
