// Fills a ClickHouse with a synthetic history, projected by the real projections, for the api under measurement.
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { startBenchChild } from './child.ts'
import { startClickHouse } from './clickhouse.ts'
import type { Scope } from './scope.ts'

export const startFilledStore = async (scope: Scope, chain: SyntheticChainOptions) => {
  const { store, access } = await startClickHouse(scope)
  const filler = startBenchChild(scope, 'projection')
  const directory = scope.directory('filled-store')
  const { events } = await filler.ask<{ events: number }>('prepare', { access, directory, chain })
  await filler.ask('project', { isRecorded: false })
  await filler.stop()
  return { store, access, events }
}
