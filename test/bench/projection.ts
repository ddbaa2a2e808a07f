// Measures projected events per second: the cost of folding, ordering and checkpoints in addition to writing.
// The baseline is a plain INSERT of the same rows into the same tables through the same store.
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { type Measurement, measurePairs } from './measure.ts'
import { startBenchChild, startClickHouse } from './processes.ts'

/** One vote of 998 ballots makes about as many events. */
const EVENTS_PER_PROPOSAL = 1_129
const DEFAULT_EVENTS = 200_000

/** Votes of 998 ballots each, four open at a time, of 20,000 voters and 150 pools. */
export const createHistory = (events = DEFAULT_EVENTS): SyntheticChainOptions => ({
  proposals: Math.max(10, Math.round(events / EVENTS_PER_PROPOSAL)),
  strideHeights: 125,
  votingHeights: 500,
  voters: 20_000,
})

type Took = { tookMs: number }

export const projection: Measurement = {
  name: 'projection',
  question: 'what does projecting cost in addition to writing the rows?',
  run: async ({ scope, pairs, log, events: wanted }) => {
    const { access } = await startClickHouse(scope)
    const child = startBenchChild(scope, 'projection')
    const { events } = await child.ask<{ events: number }>('prepare', {
      access,
      directory: scope.directory('projection'),
      chain: createHistory(wanted),
    })
    // The first run records the rows and warms up both sides; it is not measured.
    await child.ask('project', { isRecorded: true })
    const { rows } = await child.ask<{ rows: number }>('countRows')
    log(`${events} events make ${rows} rows`)
    const rate = ({ tookMs }: Took): number => (events / tookMs) * 1000
    const figures = await measurePairs(
      {
        subject: async () => rate(await child.ask<Took>('project', { isRecorded: false })),
        baseline: async () => rate(await child.ask<Took>('insertPlainly')),
      },
      { pairs, log },
    )
    return [
      {
        name: 'projection',
        unit: 'events/s',
        labels: {
          subject: 'projections on the embedded log',
          baseline: 'plain INSERT of the same rows',
        },
        figures,
        target: 0.5,
        notes: [`${events} events, ${rows} rows, in both`],
      },
    ]
  },
}
