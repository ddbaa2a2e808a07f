// Measures projected events per second: the cost of folding, ordering and checkpoints in addition to writing.
// The baseline is a plain INSERT of the same rows into the same tables through the same store.
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { startBenchChild } from './child.ts'
import { startClickHouse } from './clickhouse.ts'
import { measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'

/** 203,286 events: 180 votes of 998 ballots each, four open at a time, 150 pools. */
const CHAIN: SyntheticChainOptions = {
  proposals: 180,
  strideHeights: 125,
  votingHeights: 500,
  votesPerHeight: 2,
  pools: 150,
  operatorsVote: true,
  voters: 20_000,
  poolsReadEvery: 100,
}

type Took = { tookMs: number }

export const projection: Measurement = {
  name: 'projection',
  question: 'what does projecting cost in addition to writing the rows?',
  run: async ({ scope, pairs, log }) => {
    const { access } = await startClickHouse(scope)
    const child = startBenchChild(scope, 'projection')
    const { events } = await child.ask<{ events: number }>('prepare', {
      access,
      directory: scope.directory('projection'),
      chain: CHAIN,
    })
    // The first run records the rows and warms up both sides; it is not measured.
    await child.ask('project', { isRecorded: true })
    const { rows } = await child.ask<{ rows: number }>('countRows')
    log(`${events} events make ${rows} rows`)
    const rate = ({ tookMs }: Took): number => (events / tookMs) * 1000
    const measured = await measurePairs(
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
        subject: { label: 'projections on the embedded log', figure: measured.subject },
        baseline: { label: 'plain INSERT of the same rows', figure: measured.baseline },
        ratio: measured.ratio,
        target: 0.5,
        notes: [`${events} events, ${rows} rows, in both`],
      },
    ]
  },
}
