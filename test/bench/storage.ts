// Compares the stored bytes of one ballot, in the embedded log and in ClickHouse, with its events as JSON.
// The bytes of a vote are divided by its ballots: stake snapshots, rows of pools and tallies.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { toDatabaseName } from '../../projections/contract/database.ts'
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { startBenchChild } from './child.ts'
import { startClickHouse } from './clickhouse.ts'
import { computeSpread, type Finding } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'

const DEFAULT_EVENTS = 100_000
/** One vote of 998 ballots makes about 1,129 events. */
const EVENTS_PER_PROPOSAL = 1_129
const DATABASE = toDatabaseName(1)

/** Votes of 998 ballots each, of 20,000 voters and 150 pools. */
const createChainOptions = (events: number): SyntheticChainOptions => ({
  proposals: Math.max(10, Math.round(events / EVENTS_PER_PROPOSAL)),
  strideHeights: 125,
  votingHeights: 500,
  votesPerHeight: 2,
  pools: 150,
  operatorsVote: true,
  voters: 20_000,
  poolsReadEvery: 100,
})

type TableSize = { table: string; bytes: string }

const figure = (label: string, value: number) => ({ label, figure: computeSpread([value]) })

const run = async ({ scope, log, events: wanted = DEFAULT_EVENTS }: BenchContext) => {
  const { store, access } = await startClickHouse(scope)
  const child = startBenchChild(scope, 'projection')
  const directory = scope.directory('storage')
  const { events, jsonBytes } = await child.ask<{ events: number; jsonBytes: number }>('prepare', {
    access,
    directory,
    chain: createChainOptions(wanted),
  })
  log(`${events} events are in the log; projecting them`)
  await child.ask('project', { isRecorded: false })
  await child.stop()

  const [counted] = await store.select<{ ballots: string }>(
    `SELECT count() AS ballots FROM ${DATABASE}.ballots FINAL`,
  )
  const ballots = Number(counted?.ballots)
  const tables = await store.select<TableSize>(
    `SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND database = '${DATABASE}' GROUP BY table ORDER BY sum(bytes_on_disk) DESC`,
  )
  const logBytes = statSync(join(directory, 'log', 'log.db')).size
  const storeBytes = tables.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  const json = figure('events as JSON', jsonBytes / ballots)
  const finding = (name: string, label: string, bytes: number, notes: string[]): Finding => ({
    name,
    unit: 'bytes/ballot',
    subject: figure(label, bytes / ballots),
    baseline: json,
    ratio: computeSpread([bytes / jsonBytes]),
    target: null,
    notes,
  })
  const perTable = tables.map(
    ({ table, bytes }) => `${table} ${(Number(bytes) / ballots).toFixed(1)}`,
  )
  return [
    finding('storage-log', 'the embedded log', logBytes, [
      `${ballots} ballots, ${events} events of ${Math.round(jsonBytes / events)} bytes on average`,
    ]),
    finding('storage-clickhouse', 'all tables of ClickHouse', storeBytes, [
      `bytes per ballot of each table: ${perTable.join(', ')}`,
    ]),
  ]
}

export const storage: Measurement = {
  name: 'storage',
  question: 'how many bytes does one ballot need in the log and in ClickHouse?',
  run,
}
