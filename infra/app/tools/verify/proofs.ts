// Checks the light blocks and proofs of a log: the validator set in the log signed the header, each proof leads to a signed header, and
// the proposal in the log equals the proved one. Pure; keeps the last light block and the events of the last heights.
import { equalBytes } from '@noble/curves/utils.js'
import { verifySignature } from '../../../../ingest/comet/verification/validator-sets.ts'
import { readChainId } from '../../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent, Marker } from '../../../../ingest/contract/events.ts'
import { OPTION_KEYS } from '../../../../ingest/contract/option-sums.ts'
import { computeAppHash, readProofOps } from '../../../base/proof/existence.ts'
import { readJson } from '../../../base/proof/json-reader.ts'
import { hashText, type LightBlock, readLightBlock } from '../../../base/proof/light-block.ts'
import { ensure, ProofError } from '../../../base/proof/proof-error.ts'
import { decodeProposal, type ProvedProposal, proposalKey } from '../../../base/proof/proposal.ts'

export type Violation = {
  kind:
    | 'damaged'
    | 'unreadable'
    | 'identity'
    | 'other chain'
    | 'order'
    | 'beginning'
    | 'marker'
    | 'gap'
    | 'link'
    | 'count'
    | 'chunks'
    | 'proof'
  offset: string
  height: number
  message: string
}

export type RecordPosition = { offset: bigint; height: number }
export type ReportViolation = (
  kind: Violation['kind'],
  position: RecordPosition,
  message: string,
) => void

type LightBlockEvent = EventOf<'rollcall.light-block.observed.v1'>
type ValidatorSet = EventOf<'rollcall.validators.observed.v1'>['data']
type ProofEvent = EventOf<'rollcall.proposal.proof.v1'>
/** A proposal in the log at a height that is proved two heights later. */
type Stated = EventOf<
  'rollcall.proposal.submitted.v1' | 'rollcall.proposal.closed.v1' | 'rollcall.voting.restarted.v1'
>

const readBlock = (event: LightBlockEvent, known: ValidatorSet | undefined): LightBlock => {
  const { header, commit, hash, validatorsHash } = event.data
  ensure(
    known?.hash === validatorsHash,
    'wrong_validators',
    `The log does not have the validator set ${validatorsHash} of the light block.`,
  )
  const json = { header, commit, validators: known?.validators }
  const read = readLightBlock(json, readChainId(event), { verifySignature })
  const found = hashText(read.hash)
  ensure(found === hash, 'wrong_header', `The header has the hash ${found}, not ${hash}.`)
  return read
}

const ensureProved = ({ data }: ProofEvent, value: Uint8Array, block: LightBlock): void => {
  const { store, proposalId, stateHeight } = data
  const key = proposalKey(BigInt(proposalId))
  ensure(
    data.key === Buffer.from(key).toString('hex').toUpperCase(),
    'wrong_key',
    `The key of the proof is not that of proposal ${proposalId}.`,
  )
  ensure(
    block.header.height === BigInt(stateHeight) + 1n,
    'wrong_height',
    `The proof of height ${stateHeight} is beside the header of height ${block.header.height}.`,
  )
  const appHash = computeAppHash({ store, key, value }, readProofOps(readJson(data.proofOps)))
  ensure(
    equalBytes(block.header.appHash, appHash),
    'wrong_app_hash',
    `The proof leads to the app hash ${hashText(appHash)}; the header has ${hashText(block.header.appHash)}.`,
  )
}

const findDifference = ({ data }: Stated, proved: ProvedProposal): string | undefined => {
  const status = data.proposal?.status
  if (status !== undefined && status !== proved.status) {
    return `its status is ${status} in the log, ${proved.status} in the proof`
  }
  const logged = 'finalTally' in data ? data.finalTally : null
  const { tally } = proved
  if (logged === null || tally === null) return undefined
  // The proof has 0 for an option that the chain does not have.
  const other = OPTION_KEYS.find((option) => (logged[option] ?? '0') !== tally[option])
  return (
    other && `${other} is ${logged[other] ?? 'absent'} in the log, ${tally[other]} in the proof`
  )
}

/** Heights between the state and the event that proves it. */
const DELAY = 2

const statementName = (proposalId: string, round: number): string => `${proposalId}/${round}`

/** Keeps the last statements of the log for as long as a proof may follow. */
const createStatements = () => {
  const stated = new Map<string, Stated>()
  return {
    remember: (event: Stated): void => {
      for (const [name, { height }] of stated) {
        if (height < event.height - DELAY) stated.delete(name)
      }
      const round = 'round' in event.data ? event.data.round : 0
      stated.set(statementName(event.data.proposalId, round), event)
    },
    /** The proposal in the log at the height of the proof. */
    find: ({ data: { proposalId, round, stateHeight } }: ProofEvent): Stated | undefined => {
      const found = stated.get(statementName(proposalId, round))
      return found?.height === stateHeight ? found : undefined
    },
  }
}

/**
 * `missing`: light blocks and proofs that no endpoint returned. `proved`: proofs that lead to a signed header. `compared`: proofs with a
 * status and a final tally that were compared with the log.
 */
const noFigures = () => ({ lightBlocks: 0, missing: 0, proved: 0, compared: 0 })
type ProofFigures = ReturnType<typeof noFigures>

/** Reports an invalid proof and continues. */
const attempt = (
  report: ReportViolation,
  { record, id }: { record: RecordPosition; id: string },
  check: () => void,
): void => {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    report('proof', record, `${id}: ${error.message}`)
  }
}

const createLightBlockCheck = (report: ReportViolation, figures: ProofFigures) => {
  let validators: ValidatorSet | undefined
  /** Not checked yet: its validators may be in the next event. */
  let waiting: { record: RecordPosition; event: LightBlockEvent } | undefined
  /** The last light block, if it is valid. */
  let block: LightBlock | undefined
  const checkWaiting = (): void => {
    if (!waiting) return
    const { record, event } = waiting
    waiting = undefined
    attempt(report, { record, id: event.id }, () => {
      block = readBlock(event, validators)
      figures.lightBlocks++
    })
  }
  /** The chain of the log continues with the header. A marker of several heights names another one. */
  const checkLink = (record: RecordPosition, { id, height, data }: Marker): void => {
    const isNext = block?.header.height === BigInt(height - 1) && data.from === height
    if (!block || !isNext || hashText(block.hash) === data.previousHash) return
    const message = `the signed header is ${hashText(block.hash)}, the block follows ${data.previousHash}`
    report('proof', record, `${id}: ${message}`)
  }
  return {
    current: () => block,
    add: (record: RecordPosition, event: GovernanceEvent): void => {
      if (event.type === 'rollcall.validators.observed.v1') validators = event.data
      checkWaiting()
      if (event.type === 'rollcall.block.indexed.v1') checkLink(record, event)
      if (event.type !== 'rollcall.light-block.observed.v1') return
      block = undefined
      if (event.data.header === null) figures.missing++
      else waiting = { record, event }
    },
  }
}

export function createProofCheck(report: ReportViolation) {
  const figures = noFigures()
  const blocks = createLightBlockCheck(report, figures)
  const statements = createStatements()
  let chunks: Buffer[] = []

  const addProof = (record: RecordPosition, event: ProofEvent): void => {
    const { chunk, chunks: count, value } = event.data
    if (value === null) {
      figures.missing++
      return
    }
    if (chunk === 0) chunks = []
    chunks.push(Buffer.from(value, 'base64'))
    if (chunk < count - 1) return
    const whole = Buffer.concat(chunks)
    attempt(report, { record, id: event.id }, () => {
      const block = blocks.current()
      if (!block) throw new ProofError('malformed', 'The proof has no light block beside it.')
      ensureProved(event, whole, block)
      figures.proved++
      const stated = statements.find(event)
      if (!stated) return
      figures.compared++
      const difference = findDifference(stated, decodeProposal(whole))
      if (difference) report('proof', record, `${event.id}: ${difference}`)
    })
  }
  return {
    figures: (): ProofFigures => ({ ...figures }),
    add: (record: RecordPosition, event: GovernanceEvent): void => {
      blocks.add(record, event)
      switch (event.type) {
        case 'rollcall.proposal.proof.v1':
          addProof(record, event)
          break
        case 'rollcall.proposal.submitted.v1':
        case 'rollcall.proposal.closed.v1':
        case 'rollcall.voting.restarted.v1':
          statements.remember(event)
          break
        default:
      }
    },
  }
}
