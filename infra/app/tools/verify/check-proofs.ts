// Checks the proofs of a log: each leads to a signed header, and the proposal in the log equals the proved one. Pure;
// keeps the events of the last heights.
import { equalBytes } from '@noble/curves/utils.js'
import type { EventOf, GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { OPTION_KEYS } from '../../../../ingest/contract/option-sums.ts'
import { computeAppHash, readProofOps } from '../../../base/proof/existence.ts'
import { readJson } from '../../../base/proof/json-reader.ts'
import { hashText, type LightBlock } from '../../../base/proof/light-block.ts'
import { ensure, ProofError } from '../../../base/proof/proof-error.ts'
import { decodeProposal, type ProvedProposal, proposalKey } from '../../../base/proof/proposal.ts'
import {
  createLightBlockCheck,
  type LightBlockFigures,
  reportProofError,
} from './check-light-blocks.ts'
import type { RecordPosition, ReportViolation } from './violation.ts'

type ProofEvent = EventOf<'rollcall.proposal.proof.v1'>
/** A proposal in the log at a height that is proved two heights later. */
type Stated = EventOf<
  'rollcall.proposal.submitted.v1' | 'rollcall.proposal.closed.v1' | 'rollcall.voting.restarted.v1'
>

export type ProofFigures = LightBlockFigures & {
  /** Proofs that lead to a signed header. */
  proved: number
  /** Proofs with a status and a final tally that were compared with the log. */
  compared: number
}

export type ProofCheck = {
  add(record: RecordPosition, event: GovernanceEvent): void
  figures(): ProofFigures
}

/** Heights between the state and the event that proves it. */
const DELAY = 2

const statementName = (proposalId: string, round: number): string => `${proposalId}/${round}`

const findDifference = ({ data }: Stated, proved: ProvedProposal): string | undefined => {
  const status = data.proposal?.status
  if (status !== undefined && status !== proved.status)
    return `its status is ${status} in the log, ${proved.status} in the proof`
  const logged = 'finalTally' in data ? data.finalTally : null
  if (logged === null || proved.tally === null) return undefined
  const other = OPTION_KEYS.find(
    // The proof has 0 for an option that the chain does not have.
    (option) => (logged[option] ?? '0') !== proved.tally?.[option],
  )
  return (
    other &&
    `${other} is ${logged[other] ?? 'absent'} in the log, ${proved.tally[other]} in the proof`
  )
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

/** Keeps the last statements of the log for as long as a proof may follow. */
const createStatements = () => {
  const stated = new Map<string, Stated>()
  return {
    remember: (event: Stated): void => {
      for (const [name, { height }] of stated)
        if (height < event.height - DELAY) stated.delete(name)
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

export const createProofCheck = (reportViolation: ReportViolation): ProofCheck => {
  const blocks = createLightBlockCheck(reportViolation)
  const statements = createStatements()
  const figures = { proved: 0, compared: 0, missing: 0 }
  let chunks: Buffer[] = []

  const compare = (record: RecordPosition, event: ProofEvent, value: Uint8Array): void => {
    const stated = statements.find(event)
    if (!stated) return
    figures.compared++
    const difference = findDifference(stated, decodeProposal(value))
    if (difference) reportViolation('proof', record, `${event.id}: ${difference}`)
  }
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
    reportProofError(reportViolation, { record, id: event.id }, () => {
      const block = blocks.current()
      if (!block) throw new ProofError('malformed', 'The proof has no light block beside it.')
      ensureProved(event, whole, block)
      figures.proved++
      compare(record, event, whole)
    })
  }
  return {
    add: (record, event) => {
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
    figures: () => {
      const { lightBlocks, missing } = blocks.figures()
      return { ...figures, lightBlocks, missing: figures.missing + missing }
    },
  }
}
