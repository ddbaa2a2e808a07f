// Reads light blocks (headers with the commits that sign them) and validator sets. They never change.
import { toHeight } from '../../../ingest/contract/envelope.ts'
import type { LightBlockRow, ValidatorSetRow } from '../../../projections/contract/proof-rows.ts'
import { TABLE } from '../../../projections/contract/read-model.ts'
import { ApiProblem } from '../../problem.ts'
import type { AsOf } from '../../schemas/common.ts'
import type { LightBlock, LightBlockItem, ValidatorSet } from '../../schemas/proof.ts'
import type { Found } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import { buildLatestTable, READ_OPTIONS, requireInSnapshot, type StoreReads } from './as-of.ts'
import { formatTimestamp } from './values.ts'

export const formatLightBlockLink = (height: number | string): string =>
  `/api/light-blocks/${height}`

export const formatValidatorsLink = (hash: string): string => `/api/validators/${hash}`

/** The `asOf` of data that never changes is the height of its write. */
export const toAsOf = (
  { chainId }: Snapshot,
  { version, time }: Pick<LightBlockRow, 'version' | 'time'>,
): AsOf => ({ chainId, height: toHeight(BigInt(version)), time: formatTimestamp(time) })

const HAS_HEADER = 'validators_hash IS NOT NULL'

export const readLightBlockRow = async (
  { store, snapshot }: StoreReads,
  height: string,
): Promise<LightBlockRow | undefined> => {
  const [row] = await store.select<LightBlockRow>(
    `SELECT * FROM ${buildLatestTable(snapshot, TABLE.lightBlocks)} WHERE height = {height:UInt64}`,
    { height },
    READ_OPTIONS,
  )
  requireInSnapshot(snapshot, row?.version)
  return row
}

type Nearest = { earlier: string; later: string }

const describeNearest = ({ earlier, later }: Nearest): string => {
  const before =
    earlier === '0' ? 'There is no earlier height' : `The nearest earlier height is ${earlier}`
  const after = later === '0' ? 'there is no later height' : `the nearest later height is ${later}`
  return `${before}, ${after}.`
}

const readNotFoundProblem = async (
  { store, snapshot }: StoreReads,
  height: string,
  reason: string | null,
): Promise<ApiProblem> => {
  const [nearest] = await store.select<Nearest>(
    `SELECT
       maxIf(height, height < {height:UInt64}) AS earlier,
       minIf(height, height > {height:UInt64}) AS later
     FROM ${buildLatestTable(snapshot, TABLE.lightBlocks)} WHERE ${HAS_HEADER}`,
    { height },
    READ_OPTIONS,
  )
  const why = reason === null ? '' : ` (${reason})`
  const near = describeNearest(nearest ?? { earlier: '0', later: '0' })
  return new ApiProblem(
    'light-block-not-found',
    `Height ${height} has no light block${why}. ${near}`,
  )
}

/** Throws `light-block-not-found` with the nearest heights. */
export const readLightBlock = async (
  reads: StoreReads,
  height: string,
): Promise<Found<LightBlock>> => {
  const row = await readLightBlockRow(reads, height)
  const { header, commit, validators_hash: hash } = row ?? {}
  if (!row || !header || !commit || !hash) {
    throw await readNotFoundProblem(reads, height, row?.reason ?? null)
  }
  const value = {
    height: Number(row.height),
    hash: row.hash,
    header: JSON.parse(header),
    commit: JSON.parse(commit),
    validators: { hash, link: formatValidatorsLink(hash) },
    asOf: toAsOf(reads.snapshot, row),
  }
  return { value, consistency: 'consistent' }
}

type ListedRow = Pick<LightBlockRow, 'height' | 'hash' | 'header_time' | 'version'> & {
  validators_hash: string
}

/** Light blocks with a header, in order of height. */
export const readLightBlocks = async (
  { store, snapshot }: StoreReads,
  range: { from: number; limit: number },
): Promise<{ items: LightBlockItem[]; total: number }> => {
  const from = `FROM ${buildLatestTable(snapshot, TABLE.lightBlocks)} WHERE ${HAS_HEADER}`
  const [rows, [count]] = await Promise.all([
    store.select<ListedRow>(
      `SELECT height, hash, header_time, validators_hash, version ${from}
       ORDER BY height LIMIT {from:UInt64}, {limit:UInt64}`,
      range,
      READ_OPTIONS,
    ),
    store.select<{ total: string; latest: string }>(
      `SELECT count() AS total, max(version) AS latest ${from}`,
      {},
      READ_OPTIONS,
    ),
  ])
  requireInSnapshot(snapshot, count?.latest)
  for (const { version } of rows) requireInSnapshot(snapshot, version)
  const items = rows.map((row) => ({
    height: Number(row.height),
    hash: row.hash,
    time: formatTimestamp(row.header_time),
    validatorsHash: row.validators_hash,
    link: formatLightBlockLink(row.height),
  }))
  return { items, total: Number(count?.total ?? 0) }
}

/** Throws `validators-not-found`. */
export const readValidators = async (
  { store, snapshot }: StoreReads,
  hash: string,
): Promise<Found<ValidatorSet>> => {
  const [row] = await store.select<ValidatorSetRow>(
    `SELECT * FROM ${buildLatestTable(snapshot, TABLE.validatorSets)} WHERE hash = {hash:String}`,
    { hash },
    READ_OPTIONS,
  )
  requireInSnapshot(snapshot, row?.version)
  if (!row) {
    const detail = `No validator set with the hash ${hash} signed a light block.`
    throw new ApiProblem('validators-not-found', detail)
  }
  const value = { hash, validators: JSON.parse(row.validators) }
  return { value, consistency: 'consistent' }
}
