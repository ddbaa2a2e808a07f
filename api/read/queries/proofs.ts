// Reads light blocks (headers with the commits that sign them), validator sets, and the proofs of proposals. None ever changes.
import { toHeight } from '../../../ingest/contract/envelope.ts'
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import type { LightBlockRow } from '../../../projections/contract/tables/proofs.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Timestamp } from '../../../projections/contract/timestamps.ts'
import { type AsOf, createAsOf } from '../../schemas/common.ts'
import type {
  LightBlock,
  LightBlockItem,
  ProposalProof,
  ValidatorSet,
} from '../../schemas/proof.ts'
import { isOpen } from '../../words/status.ts'
import { ApiProblem } from '../problems.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  notFound,
  readKeyset,
  requireInSnapshot,
  requireWatermark,
  type StoreReads,
  selectLatest,
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
  const { lightBlocks } = TABLES
  const isIt = 'WHERE height = {height:UInt64}'
  const [row] = await selectLatest(reads, lightBlocks, lightBlocks.all, isIt, { height })
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
  const { rows, total } = await readKeyset(reads, LISTED, {
    source,
    order: ['height'],
    isAscending: true,
    offset: range.from,
    limit: range.limit,
  })
  requireInSnapshot(snapshot, ...rows.map(({ version }) => version))
  const items = rows.map((row) => ({
    height: row.height,
    hash: row.hash,
    time: formatTimestamp(row.headerTime),
    validatorsHash: row.validatorsHash ?? '',
    link: formatLightBlockLink(row.height),
  }))
  return { items, total }
}

/** Throws `validators-not-found`. */
export const readValidators = async (reads: StoreReads, hash: string): Promise<ValidatorSet> => {
  const { validatorSets } = TABLES
  const isIt = 'WHERE hash = {hash:String}'
  const [row] = await selectLatest(reads, validatorSets, validatorSets.all, isIt, { hash })
  if (!row) {
    const detail = `No validator set with the hash ${hash} signed a light block.`
    throw new ApiProblem('validators-not-found', detail)
  }
  return { hash, validators: JSON.parse(row.validators) }
}

/** Heights from the proved state to the event with its proof. The height between them has the app hash. */
const PROOF_DELAY = 2

/** A value with longer base64 is neither read nor sent. */
const MAX_VALUE_BYTES = 2 * 2 ** 20

/** `round` is 0 for the submission. Without it, the latest proof is read. */
export type ProofAt = { proposalId: string; round?: number | undefined }

/** `writtenAt` is the height of the proof itself. */
export type StoredProof = Omit<ProposalProof, 'links' | 'asOf'> & { writtenAt: AsOf }

/** True if no later proof can follow. */
export const hasLastProof = ({ watermarks, height }: Snapshot, proposalId: string): boolean => {
  const watermark = watermarks.get(proposalId)
  if (!watermark?.final) return false
  return height >= toHeight(watermark.position) + PROOF_DELAY
}

type ProofHead = {
  round: number
  state_height: string
  store_name: string
  store_key: string
  why: string | null
  size: string
  is_whole: boolean
  latest: string
  written: Timestamp
}

const readHead = async (
  reads: StoreReads,
  { proposalId, round }: ProofAt,
): Promise<ProofHead | undefined> => {
  const ofRound = round === undefined ? '' : 'AND round = {round:UInt16}'
  const [head] = await selectRows<ProofHead>(
    reads,
    `SELECT
       round, state_height, any(store) AS store_name, any(key) AS store_key, any(reason) AS why,
       sum(length(ifNull(value, ''))) AS size, max(version) AS latest, max(time) AS written,
       toBool(count() = max(chunks) AND uniqExact(chunks) = 1) AS is_whole
     FROM (
       SELECT * FROM ${buildLatestTable(reads.snapshot, TABLES.proposalProofs)}
       WHERE proposal_id = {id:UInt64} ${ofRound}
     )
     GROUP BY round, state_height ORDER BY round DESC, state_height DESC LIMIT 1`,
    { id: proposalId, ...(round === undefined ? {} : { round }) },
  )
  return head
}

const PROVED = TABLES.proposalProofs.select(['value', 'proofOps'])

type Proved = Pick<ProposalProof, 'value' | 'proofOps'>
const NOTHING: Proved = { value: null, proofOps: null }

/** Each chunk has its own base64 padding, so the texts cannot be concatenated. */
const joinChunks = (chunks: readonly string[]): string =>
  Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, 'base64'))).toString('base64')

const readValue = async (
  reads: StoreReads,
  proposalId: string,
  { round, state_height: height }: ProofHead,
): Promise<Proved> => {
  const rows = await selectLatest(
    reads,
    TABLES.proposalProofs,
    PROVED,
    `WHERE proposal_id = {id:UInt64} AND round = {round:UInt16} AND state_height = {height:UInt64}
     ORDER BY chunk`,
    { id: proposalId, round, height },
  )
  const chunks = rows.flatMap(({ value }) => value ?? [])
  const ops = rows[0]?.proofOps
  if (!ops || chunks.length < rows.length) return NOTHING
  return { value: joinChunks(chunks), proofOps: JSON.parse(ops) }
}

const toProofParts = (
  block: LightBlockRow | undefined,
): Pick<ProposalProof, 'header' | 'commit' | 'validators'> => {
  const { header, commit, validatorsHash: hash } = block ?? {}
  if (!header || !commit || !hash) return { header: null, commit: null, validators: null }
  const validators = { hash, link: formatValidatorsLink(hash) }
  return { header: JSON.parse(header), commit: JSON.parse(commit), validators }
}

type Parts = { head: ProofHead; proved: Proved; block: LightBlockRow | undefined }

/** Why a part of the proof is null; null if the proof is complete. */
const describeMissingPart = ({ head, proved, block }: Parts): string | null => {
  if (proved.value === null) {
    const isTooLong = Number(head.size) > MAX_VALUE_BYTES
    if (isTooLong)
      return `the stored bytes have ${head.size} characters of base64, too many for a response`
    return head.why ?? 'the log does not have the proof'
  }
  if (block?.header) return null
  return block?.reason ?? `the log does not have the header of height ${computeHeaderHeight(head)}`
}

const computeHeaderHeight = ({ state_height: height }: ProofHead): string =>
  `${BigInt(height) + 1n}`

/** Throws `proposal-not-found`, or `proof-not-found` with the height at which the proof becomes available. */
export const readProof = async (reads: StoreReads, at: ProofAt): Promise<StoredProof> => {
  const { snapshot } = reads
  const { proposalId } = at
  requireWatermark(snapshot, proposalId)
  const head = await readHead(reads, at)
  requireInSnapshot(snapshot, head?.latest)
  if (!head) throw await readMissingProofProblem(reads, at)
  if (!head.is_whole) throw incomplete(proposalId, head)
  const isSent = head.why === null && Number(head.size) <= MAX_VALUE_BYTES
  const [proved, block] = await Promise.all([
    isSent ? readValue(reads, proposalId, head) : NOTHING,
    readLightBlockRow(reads, computeHeaderHeight(head)),
  ])
  return {
    proposalId,
    round: head.round,
    height: Number(head.state_height),
    store: head.store_name,
    key: head.store_key,
    ...proved,
    ...toProofParts(block),
    reason: describeMissingPart({ head, proved, block }),
    writtenAt: toAsOf(snapshot, { version: BigInt(head.latest), time: head.written }),
  }
}

const describeSubject = (proposalId: string, round: number): string =>
  round === 0
    ? `the submission of proposal ${proposalId}`
    : `the end of round ${round} of proposal ${proposalId}`

const incomplete = (proposalId: string, { round }: ProofHead): ApiProblem =>
  new ApiProblem(
    'proof-not-found',
    `The proof of ${describeSubject(proposalId, round)} is incomplete: a record of the log cannot be decoded.`,
  )

const FACTS = TABLES.proposals.select([
  'status',
  'round',
  'submittedHeight',
  'closedHeight',
  'history',
  'historyReason',
])
type Facts = SelectedRow<typeof FACTS>

/** The height at which the proof becomes available; undefined if this height has passed or is not known yet. */
const computeProofHeight = (
  facts: Facts,
  round: number,
  snapshot: Snapshot,
): number | undefined => {
  const isEnd = round > 0 && round === facts.round
  const provedHeight = round === 0 ? facts.submittedHeight : isEnd ? facts.closedHeight : null
  if (provedHeight === null) return undefined
  const height = provedHeight + PROOF_DELAY
  return height > snapshot.height ? height : undefined
}

const DELETED = ['canceled', 'dropped']

const BEFORE_LOG = 'it was before the first indexed height'

/** True if the log begins after the height whose state the proof is for. */
const isBeforeLog = (facts: Facts, round: number): boolean =>
  facts.history === 'reconstructed' ||
  (round === 0 ? facts.submittedHeight === null : facts.closedHeight === null && !isOpen(facts))

/** Why there is no proof, or when it becomes available. */
const describeMissingProof = (
  facts: Facts,
  { proposalId, round }: { proposalId: string; round: number },
  snapshot: Snapshot,
): string => {
  const subject = describeSubject(proposalId, round)
  const isDeleted = DELETED.includes(facts.status)
  const coming = computeProofHeight(facts, round, snapshot)
  if (coming !== undefined && !(isDeleted && round > 0))
    return `The proof of ${subject} becomes available at height ${coming}.`
  if (isDeleted) {
    return `The chain has deleted proposal ${proposalId}, so there is no state to prove.`
  }
  if (round > facts.round) return `Proposal ${proposalId} has no round ${round}.`
  if (isBeforeLog(facts, round)) {
    const isPast = facts.history === 'reconstructed'
    const reason = (isPast ? null : facts.historyReason) ?? BEFORE_LOG
    return `There is no proof of ${subject}: ${reason}.`
  }
  if (round > 0 && round === facts.round && facts.closedHeight === null) {
    return `The proof of ${subject} becomes available ${PROOF_DELAY} heights after it.`
  }
  return `There is no proof of ${subject} in the log.`
}

/** Reads the proposal to find out why there is no proof, or when it becomes available. */
const readMissingProofProblem = async (
  reads: StoreReads,
  { proposalId, round = 0 }: ProofAt,
): Promise<ApiProblem> => {
  const { snapshot } = reads
  const isIt = 'WHERE proposal_id = {id:UInt64}'
  const [facts] = await selectLatest(reads, TABLES.proposals, FACTS, isIt, { id: proposalId })
  if (!facts) return notFound(proposalId)
  return new ApiProblem(
    'proof-not-found',
    describeMissingProof(facts, { proposalId, round }, snapshot),
  )
}
