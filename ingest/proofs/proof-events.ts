// Creates the first events of a height: its proofs, and the validator set if it changed.

import { GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { getRepeatedWarnings } from '../../infra/base/runtime/repeated-warnings.ts'
import { isKnown, reasonOrNull } from '../chain/answer.ts'
import type { Block } from '../comet/blocks/block.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent, Marker } from '../contract/events.ts'
import { type At, eventAt, proposalSubject } from '../derive/event-at.ts'
import { FIRST_SCHEMA_SUB } from '../heights/schema-events.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'
import { base64Chunks } from './base64-chunks.ts'
import type { PendingProof } from './pending-proofs.ts'
import type { ProofRead, ProofReads } from './proof.ts'

/** `sub` at ordinal 0. The snapshot also uses this ordinal, at the first height, where no proof is due. */
const SUB = { lightBlock: 0, validators: 1, proofs: 2, end: FIRST_SCHEMA_SUB } as const

/** Limit of the proofs of one height, as base64. */
const MAX_HEIGHT_BYTES = 32 * 2 ** 20

export type ProofEvents = {
  /** Hash of the last validator set in the log. Undefined if the log has none. */
  hash(): string | undefined
  /** Comes before the other events of the height. */
  createEvents(block: Block, reads: ProofReads | undefined): GovernanceEvent[]
}

type ProofData = EventOf<'rollcall.proposal.proof.v1'>['data']

const lightBlockEvent = (block: Block, { lightBlock }: ProofReads): GovernanceEvent => {
  const found = isKnown(lightBlock) ? lightBlock.value : undefined
  return eventAt(
    block,
    { ordinal: ORDINAL.before, sub: SUB.lightBlock },
    {
      type: 'rollcall.light-block.observed.v1',
      data: {
        blockHeight: block.height - 1,
        hash: block.previousHash,
        header: found?.header ?? null,
        commit: found?.commit ?? null,
        validatorsHash: found?.validatorsHash ?? null,
        reason: reasonOrNull(lightBlock),
      },
    },
  )
}

type Chunk = Pick<ProofData, 'chunk' | 'chunks' | 'value' | 'proofOps' | 'reason'>

const missingChunk = (reason: string): Chunk[] => [
  { chunk: 0, chunks: 1, value: null, proofOps: null, reason },
]

/** A value with its proof; the proof contains the value again. `left`: available bytes of the height. */
const toChunks = ({ found }: ProofRead, left: number): { chunks: Chunk[]; bytes: number } => {
  if (!isKnown(found)) return { chunks: missingChunk(found.unavailable), bytes: 0 }
  const { value } = found.value
  const proofOps = [...found.value.proofOps]
  const parts = base64Chunks(value)
  const proofBytes = proofOps.reduce((sum, { data }) => sum + data.length, 0)
  const bytes = parts.reduce((sum, part) => sum + part.length + proofBytes, 0)
  if (bytes > left) {
    const reason = `left out: the proofs of the height have more than ${MAX_HEIGHT_BYTES} bytes`
    return { chunks: missingChunk(reason), bytes: 0 }
  }
  const chunks = parts.map((part, chunk) => ({
    chunk,
    chunks: parts.length,
    value: part,
    proofOps,
    reason: null,
  }))
  return { chunks, bytes }
}

const proofEvent = (
  block: Block,
  at: At,
  { proposalId, round, chunk, chunks, ...proof }: Chunk & PendingProof,
): GovernanceEvent =>
  eventAt(block, at, {
    type: 'rollcall.proposal.proof.v1',
    subject: proposalSubject(proposalId),
    data: {
      chunk,
      chunks,
      proposalId,
      round,
      stateHeight: block.height - 2,
      store: GOV_STORE,
      key: Buffer.from(proposalKey(BigInt(proposalId)))
        .toString('hex')
        .toUpperCase(),
      value: proof.value,
      proofOps: proof.proofOps,
      reason: proof.reason,
    },
  })

type Written = { events: GovernanceEvent[]; missing: string[]; leftOut: number }

const proofEvents = (block: Block, { proofs }: ProofReads): Written => {
  const written: Written = { events: [], missing: [], leftOut: 0 }
  let left = MAX_HEIGHT_BYTES
  for (const proof of proofs) {
    const { chunks, bytes } = toChunks(proof, left)
    const sub = SUB.proofs + written.events.length
    if (sub + chunks.length > SUB.end) {
      written.leftOut += 1
      continue
    }
    left -= bytes
    const [{ reason } = { reason: null }] = chunks
    if (reason !== null) written.missing.push(reason)
    for (const [n, chunk] of chunks.entries()) {
      const at = { ordinal: ORDINAL.before, sub: sub + n }
      written.events.push(proofEvent(block, at, { ...chunk, ...proof }))
    }
  }
  return written
}

/** `marker`: the last one in the log. Call in order of heights. */
export const createProofEvents = (
  marker: Marker | undefined,
  { logger, metrics }: { logger: Logger; metrics: Pick<IngestMetrics, 'proofs'> },
): ProofEvents => {
  const warnings = getRepeatedWarnings(logger)
  let hash = marker?.data.validatorsHash

  const validatorsEvents = (block: Block, { lightBlock }: ProofReads): GovernanceEvent[] => {
    if (!isKnown(lightBlock) || lightBlock.value.validatorsHash === hash) return []
    const { validatorsHash, validators } = lightBlock.value
    hash = validatorsHash
    const event = {
      type: 'rollcall.validators.observed.v1',
      data: { hash: validatorsHash, validators },
    } as const
    return [eventAt(block, { ordinal: ORDINAL.before, sub: SUB.validators }, event)]
  }
  const report = (
    { height }: Block,
    { proofs: { length: all }, unverifiable }: ProofReads,
    { missing, leftOut }: Written,
  ): void => {
    metrics.proofs.inc({ outcome: 'kept' }, all - missing.length - leftOut)
    metrics.proofs.inc({ outcome: 'missing' }, missing.length)
    metrics.proofs.inc({ outcome: 'no_space' }, leftOut)
    if (leftOut > 0)
      logger.error({ height, leftOut }, 'left out proofs: the index of the height is full')
    const [reason] = missing
    // A limitation of the chain is reported once.
    if (reason === undefined || unverifiable !== undefined) return
    warnings.warn({
      key: 'indexed without proofs',
      fields: { height, missing: missing.length, reason },
      message: 'indexed without proofs',
    })
  }
  return {
    hash: () => hash,
    createEvents: (block, reads) => {
      if (!reads) return []
      const written = proofEvents(block, reads)
      report(block, reads, written)
      return [lightBlockEvent(block, reads), ...validatorsEvents(block, reads), ...written.events]
    },
  }
}
