// Checks the light blocks of a log: the validator set in the log signed the header. Pure; keeps the last one.
import { verifySignature } from '../../../../ingest/comet/verification/verify-signature.ts'
import { readChainId } from '../../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent, Marker } from '../../../../ingest/contract/events.ts'
import { hashText, type LightBlock, readLightBlock } from '../../../base/proof/light-block.ts'
import { ensure, ProofError } from '../../../base/proof/proof-error.ts'
import type { RecordPosition, ReportViolation } from './violation.ts'

type LightBlockEvent = EventOf<'rollcall.light-block.observed.v1'>
type ValidatorSet = EventOf<'rollcall.validators.observed.v1'>['data']

export type LightBlockFigures = {
  lightBlocks: number
  /** Light blocks that no endpoint returned. */
  missing: number
}

export type LightBlockCheck = {
  add(record: RecordPosition, event: GovernanceEvent): void
  /** The last light block, if it is valid. */
  current(): LightBlock | undefined
  figures(): LightBlockFigures
}

/** Reports an invalid proof and continues. */
export const reportProofError = (
  reportViolation: ReportViolation,
  { record, id }: { record: RecordPosition; id: string },
  check: () => void,
): void => {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    reportViolation('proof', record, `${id}: ${error.message}`)
  }
}

const readBlock = (event: LightBlockEvent, known: ValidatorSet | undefined): LightBlock => {
  const { header, commit, hash, validatorsHash } = event.data
  ensure(
    known?.hash === validatorsHash,
    'wrong_validators',
    `The log does not have the validator set ${validatorsHash} of the light block.`,
  )
  const json = { header, commit, validators: known?.validators }
  const read = readLightBlock(json, readChainId(event), { verifySignature })
  ensure(
    hashText(read.hash) === hash,
    'wrong_header',
    `The header has the hash ${hashText(read.hash)}, not ${hash}.`,
  )
  return read
}

export const createLightBlockCheck = (reportViolation: ReportViolation): LightBlockCheck => {
  const figures: LightBlockFigures = { lightBlocks: 0, missing: 0 }
  let validators: ValidatorSet | undefined
  /** Not checked yet: its validators may be in the next event. */
  let waiting: { record: RecordPosition; event: LightBlockEvent } | undefined
  let block: LightBlock | undefined

  const checkWaiting = (): void => {
    if (!waiting) return
    const { record, event } = waiting
    waiting = undefined
    reportProofError(reportViolation, { record, id: event.id }, () => {
      block = readBlock(event, validators)
      figures.lightBlocks++
    })
  }
  /** The chain of the log continues with the header. A marker of several heights names another one. */
  const checkLink = (record: RecordPosition, { id, height, data }: Marker): void => {
    const isNext = block?.header.height === BigInt(height - 1) && data.from === height
    if (!block || !isNext || hashText(block.hash) === data.previousHash) return
    const hash = hashText(block.hash)
    reportViolation(
      'proof',
      record,
      `${id}: the signed header is ${hash}, the block follows ${data.previousHash}`,
    )
  }
  return {
    add: (record, event) => {
      if (event.type === 'rollcall.validators.observed.v1') validators = event.data
      checkWaiting()
      if (event.type === 'rollcall.block.indexed.v1') checkLink(record, event)
      if (event.type !== 'rollcall.light-block.observed.v1') return
      block = undefined
      if (event.data.header === null) figures.missing++
      else waiting = { record, event }
    },
    current: () => block,
    figures: () => ({ ...figures }),
  }
}
