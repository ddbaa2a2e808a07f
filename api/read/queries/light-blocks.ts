// Reads light blocks (headers with the commits that sign them) and validator sets. They never change.
import { toHeight } from '../../../ingest/contract/envelope.ts'
import type { LightBlockRow } from '../../../projections/contract/tables/proofs.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { ApiProblem } from '../../problem.ts'
import { type AsOf, createAsOf } from '../../schemas/common.ts'
import type { LightBlock, LightBlockItem, ValidatorSet } from '../../schemas/proof.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  requireInSnapshot,
  type StoreReads,
  selectFrom,
  selectRows,
} from './as-of.ts'
import { formatTimestamp } from './values.ts'

export const formatLightBlockLink = (height: number | string): string =>
  `/api/light-blocks/${height}`

export const formatValidatorsLink = (hash: string): string => `/api/validators/${hash}`

/** The `asOf` of data that never changes is the height of its write. */
export const toAsOf = (
  { chainId }: Snapshot,
  { version, time }: Pick<LightBlockRow, 'version' | 'time'>,
): AsOf => createAsOf(chainId, toHeight(version), formatTimestamp(time))

const HAS_HEADER = 'validators_hash IS NOT NULL'

export const readLightBlockRow = async (
  reads: StoreReads,
  height: string,
): Promise<LightBlockRow | undefined> => {
  const { snapshot } = reads
  const [row] = await selectFrom(
    reads,
    TABLES.lightBlocks.all,
    `${buildLatestTable(snapshot, TABLES.lightBlocks)} WHERE height = {height:UInt64}`,
    { height },
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
  reads: StoreReads,
  height: string,
  reason: string | null,
): Promise<ApiProblem> => {
  const [nearest] = await selectRows<Nearest>(
    reads,
    `SELECT
       maxIf(height, height < {height:UInt64}) AS earlier,
       minIf(height, height > {height:UInt64}) AS later
     FROM ${buildLatestTable(reads.snapshot, TABLES.lightBlocks)} WHERE ${HAS_HEADER}`,
    { height },
  )
  const why = reason === null ? '' : ` (${reason})`
  const near = describeNearest(nearest ?? { earlier: '0', later: '0' })
  return new ApiProblem(
    'light-block-not-found',
    `Height ${height} has no light block${why}. ${near}`,
  )
}

/** Throws `light-block-not-found` with the nearest heights. */
export const readLightBlock = async (reads: StoreReads, height: string): Promise<LightBlock> => {
  const row = await readLightBlockRow(reads, height)
  const { header, commit, validatorsHash: hash } = row ?? {}
  if (!row || !header || !commit || !hash) {
    throw await readNotFoundProblem(reads, height, row?.reason ?? null)
  }
  return {
    height: row.height,
    hash: row.hash,
    header: JSON.parse(header),
    commit: JSON.parse(commit),
    validators: { hash, link: formatValidatorsLink(hash) },
    asOf: toAsOf(reads.snapshot, row),
  }
}

const LISTED = TABLES.lightBlocks.select([
  'height',
  'hash',
  'headerTime',
  'validatorsHash',
  'version',
])

/** Light blocks with a header, in order of height. */
export const readLightBlocks = async (
  reads: StoreReads,
  range: { from: number; limit: number },
): Promise<{ items: LightBlockItem[]; total: number }> => {
  const { snapshot } = reads
  const source = `${buildLatestTable(snapshot, TABLES.lightBlocks)} WHERE ${HAS_HEADER}`
  const [rows, [count]] = await Promise.all([
    selectFrom(
      reads,
      LISTED,
      `${source} ORDER BY height LIMIT {from:UInt64}, {limit:UInt64}`,
      range,
    ),
    selectRows<{ total: string; latest: string }>(
      reads,
      `SELECT count() AS total, max(version) AS latest FROM ${source}`,
    ),
  ])
  requireInSnapshot(snapshot, count?.latest, ...rows.map(({ version }) => version))
  const items = rows.map((row) => ({
    height: row.height,
    hash: row.hash,
    time: formatTimestamp(row.headerTime),
    validatorsHash: row.validatorsHash ?? '',
    link: formatLightBlockLink(row.height),
  }))
  return { items, total: Number(count?.total ?? 0) }
}

/** Throws `validators-not-found`. */
export const readValidators = async (reads: StoreReads, hash: string): Promise<ValidatorSet> => {
  const { snapshot } = reads
  const [row] = await selectFrom(
    reads,
    TABLES.validatorSets.all,
    `${buildLatestTable(snapshot, TABLES.validatorSets)} WHERE hash = {hash:String}`,
    { hash },
  )
  requireInSnapshot(snapshot, row?.version)
  if (!row) {
    const detail = `No validator set with the hash ${hash} signed a light block.`
    throw new ApiProblem('validators-not-found', detail)
  }
  return { hash, validators: JSON.parse(row.validators) }
}
