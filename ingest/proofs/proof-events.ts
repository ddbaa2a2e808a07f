// Creates the first events of a height: its proofs, and the validator set if it changed.

import { GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { getRepeatedWarnings } from '../../infra/base/runtime/repeated-warnings.ts'
import { isKnown, reasonOrNull, valueOrNull } from '../chain/answer.ts'
import type { Block } from '../comet/blocks/block.ts'
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent, Marker } from '../contract/events.ts'
import { base64Chunks, eventAt, proposalSubject } from '../derive/event-at.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'
import type { ProofRead, ProofReads } from './proof.ts'

/** `sub` at ordinal 0. The snapshot also uses this ordinal, at the first height, where no proof is due. */
const SUB = { lightBlock: 0, validators: 1, proofs: 2, end: SUB_LIMIT } as const

/** Limit of the proofs of one height, as base64. */
const MAX_HEIGHT_BYTES = 32 * 2 ** 20


type ProofData = EventOf<'rollcall.proposal.proof.v1'>['data']
type Chunk = Pick<ProofData, 'chunk' | 'chunks' | 'value' | 'proofOps' | 'reason'>

const BEFORE = { ordinal: ORDINAL.before }

const lightBlockEvent = (block: Block, lightBlock: ProofReads['lightBlock']): GovernanceEvent => {
  const { header = null, commit = null, validatorsHash = null } = valueOrNull(lightBlock) ?? {}
  const of = { blockHeight: block.height - 1, hash: block.previousHash }
  const data = { ...of, header, commit, validatorsHash, reason: reasonOrNull(lightBlock) }
  const at = { ...BEFORE, sub: SUB.lightBlock }
  return eventAt(block, at, { type: 'rollcall.light-block.observed.v1', data })
}

/** A value with its proof; the proof contains the value again. Without both if they have more than `left` bytes. */
const toChunks = (found: ProofRead['found'], left: number): { chunks: Chunk[]; bytes: number } => {
  const proved = valueOrNull(found)
  const parts = proved ? base64Chunks(proved.value) : []
  const proofOps = proved ? [...proved.proofOps] : []
  const proofBytes = proofOps.reduce((sum, { data }) => sum + data.length, 0)
  const bytes = parts.reduce((sum, part) => sum + part.length + proofBytes, 0)
  if (proved && bytes <= left) {
    const { length: chunks } = parts
    const toChunk = (value: string, chunk: number) => ({
      chunk,
      chunks,
      value,
      proofOps,
      reason: null,
    })
    return { chunks: parts.map(toChunk), bytes }
  }
  const tooLarge = `left out: the proofs of the height have more than ${MAX_HEIGHT_BYTES} bytes`
  const reason = reasonOrNull(found) ?? tooLarge
  return { chunks: [{ chunk: 0, chunks: 1, value: null, proofOps: null, reason }], bytes: 0 }
}

const proofEvent = (
  block: Block,
  { proposalId, round }: ProofRead,
  { sub, ...chunk }: Chunk & { sub: number },
): GovernanceEvent => {
  const key = Buffer.from(proposalKey(BigInt(proposalId)))
    .toString('hex')
    .toUpperCase()
  const of = { proposalId, round, stateHeight: block.height - 2, store: GOV_STORE, key } as const
  return eventAt(
    block,
    { ...BEFORE, sub },
    {
      type: 'rollcall.proposal.proof.v1',
      subject: proposalSubject(proposalId),
      data: { ...of, ...chunk },
    },
  )
}

type Written = { events: GovernanceEvent[]; missing: string[]; leftOut: number }

const proofEvents = (block: Block, { proofs }: ProofReads): Written => {
  const written: Written = { events: [], missing: [], leftOut: 0 }
  let left = MAX_HEIGHT_BYTES
  for (const proof of proofs) {
    const { chunks, bytes } = toChunks(proof.found, left)
    const first = SUB.proofs + written.events.length
    if (first + chunks.length > SUB.end) {
      written.leftOut += 1
      continue
    }
    left -= bytes
    for (const chunk of chunks) {
      if (chunk.reason !== null) written.missing.push(chunk.reason)
      written.events.push(proofEvent(block, proof, { ...chunk, sub: first + chunk.chunk }))
    }
  }
  return written
}

/** `marker`: the last one in the log. Call in order of heights. */
export function createProofEvents(
  marker: Marker | undefined,
  { logger, metrics }: { logger: Logger; metrics: Pick<IngestMetrics, 'proofs'> },
) {
  const warnings = getRepeatedWarnings(logger)
  let hash = marker?.data.validatorsHash

  const validatorsEvents = (block: Block, { lightBlock }: ProofReads): GovernanceEvent[] => {
    if (!isKnown(lightBlock) || lightBlock.value.validatorsHash === hash) return []
    const { validatorsHash, validators } = lightBlock.value
    hash = validatorsHash
    const at = { ...BEFORE, sub: SUB.validators }
    const data = { hash: validatorsHash, validators }
    return [eventAt(block, at, { type: 'rollcall.validators.observed.v1', data })]
  }
  const report = (
    { height }: Block,
    { proofs: { length: all }, unverifiable }: ProofReads,
    { missing, leftOut }: Written,
  ): void => {
    metrics.proofs.inc({ outcome: 'kept' }, all - missing.length - leftOut)
    metrics.proofs.inc({ outcome: 'missing' }, missing.length)
    metrics.proofs.inc({ outcome: 'no_space' }, leftOut)
    if (leftOut > 0) {
      logger.error({ height, leftOut }, 'left out proofs: the index of the height is full')
    }
    const [reason] = missing
    // A limitation of the chain is reported once.
    if (reason === undefined || unverifiable !== undefined) return
    const key = 'indexed without proofs'
    warnings.warn({ key, fields: { height, missing: missing.length, reason }, message: key })
  }
  return {
    /** Hash of the last validator set in the log. Undefined if the log has none. */
    hash: (): string | undefined => hash,
    /** Comes before the other events of the height. */
    createEvents: (block: Block, reads: ProofReads | undefined): GovernanceEvent[] => {
      if (!reads) return []
      const written = proofEvents(block, reads)
      report(block, reads, written)
      const light = lightBlockEvent(block, reads.lightBlock)
      return [light, ...validatorsEvents(block, reads), ...written.events]
    },
  }
}
