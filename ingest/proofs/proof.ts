// Reads and verifies the proofs that are due at a height, within a time limit. A proof that no endpoint gives in time is missing,
// with the reason. Then the next heights wait only briefly, until a proof is returned.
import { equalBytes } from '@noble/curves/utils.js'
import pLimit, { type LimitFunction } from 'p-limit'
import { computeAppHash, readProofOps } from '../../infra/base/proof/existence.ts'
import { readJson } from '../../infra/base/proof/json-reader.ts'
import { ProofError } from '../../infra/base/proof/proof-error.ts'
import { decodeProposal, GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import { abortedError } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { retry } from '../../infra/base/runtime/retry.ts'
import { type Answer, isKnown, known, unavailable } from '../chain/answer.ts'
import { explainFailure } from '../chain/query.ts'
import type { AbciAnswer, AbciRequest, ChainNode, SignedBlock } from '../comet/endpoints/node.ts'
import { findUnverifiable } from '../comet/verification/light-block.ts'
import type { ProofOp } from '../contract/proof-events.ts'
import type { PlannedHeight } from '../heights/plan.ts'
import { createReadBudget, readEach } from '../rounds/read-budget.ts'
import type { PendingProof } from './pending-proofs.ts'

/** The node without unlimited retries. `untilReachable` waits, without a limit, until an endpoint answers. */
export type ProofReader = {
  node: Pick<ChainNode, 'abciQuery' | 'lightBlock' | 'refuse'>
  untilReachable(): Promise<unknown>
  clock: Clock
  signal: AbortSignal
  /** Time limit of one attempt; there are two. */
  budgetMs?: number
  /** The same for ten minutes after a height whose proofs no endpoint returned in time. */
  budgetAfterHangMs?: number
}

export type ProvedValue = { value: Uint8Array; proofOps: readonly ProofOp[] }
export type ProofRead = PendingProof & { found: Answer<ProvedValue> }
/** Reads the light block of the height before, and proofs of the state of the height before that. */
export type ProofReads = {
  lightBlock: Answer<SignedBlock>
  proofs: readonly ProofRead[]
  /** Why no endpoint has a header that can be verified; absent for any other reason. */
  unverifiable?: string | undefined
}

const ATTEMPTS = 2
/** Limit of one height. */
const MAX_READS = 256
/** Limit of all heights: proofs that hang must leave calls to the endpoint for blocks. */
const READS_UNDER_WAY = 8
/** Number of endpoints that may give an invalid proof before the proof is missing. */
const MAX_REFUSALS = 8

const describeUnverifiable = (reason: string): string =>
  `the headers of this chain cannot be verified: ${reason}`

/** Without the names of endpoints: the log is public. */
const describeError = ({ message, cause }: AppError): string =>
  cause instanceof AppError ? cause.message : message

/** Retries while the error allows it and time is left; a permanent error is a result. */
const retried = async <Value>(
  { clock }: ProofReader,
  read: () => Promise<Answer<Value>>,
  { signal, onRetry }: { signal: AbortSignal; onRetry: (error: AppError) => void },
): Promise<Answer<Value> | undefined> => {
  try {
    return await retry(read, {
      ...policies.readProof,
      clock,
      signal,
      onRetry: ({ error }) => onRetry(error),
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'ABORTED') throw error
    onRetry(error)
    return error.retryable ? undefined : unavailable(describeError(error))
  }
}

type ProofRequest = { proposalId: string; height: number; appHash: string }

/** Throws a `ProofError` if the proof does not connect the value with the app hash. */
const verifyValue = (key: Uint8Array, { value, proofOps }: ProvedValue, appHash: string): void => {
  const ops = readProofOps(readJson(proofOps, 'proofOps'))
  const found = computeAppHash({ store: GOV_STORE, key, value }, ops)
  if (equalBytes(found, Buffer.from(appHash, 'hex'))) return
  throw new ProofError('wrong_app_hash', 'The proof leads to another app hash than the header has.')
}

/** Null if an older SDK stores another type: the value is proved in any case. */
const idIn = (value: Uint8Array): string | null => {
  try {
    return decodeProposal(value).id
  } catch {
    return null
  }
}

/** `isFault`: the endpoint gave a wrong proof, not a missing one. */
type Judged = Answer<ProvedValue> | { rejected: string; isFault: boolean }

const judge = (answer: AbciAnswer, key: Uint8Array, request: ProofRequest): Judged => {
  const { proposalId, height, appHash } = request
  if (answer.kind !== 'value') return { rejected: explainFailure(answer, height), isFault: false }
  const { value, proofOps } = answer
  if (value.length === 0) {
    return {
      rejected: `the store ${GOV_STORE} has no such key at height ${height}`,
      isFault: false,
    }
  }
  if (!proofOps?.length) return { rejected: 'the node does not return proofs', isFault: false }
  const proved = { value, proofOps }
  try {
    verifyValue(key, proved, appHash)
  } catch (error) {
    if (error instanceof ProofError) return { rejected: error.message, isFault: true }
    throw error
  }
  const id = idIn(value)
  if (id === null || id === proposalId) return known(proved)
  return unavailable(`the chain stores proposal ${id} at the key of proposal ${proposalId}`)
}

const createAbciRequest = (key: Uint8Array, height: number): AbciRequest => ({
  path: `/store/${GOV_STORE}/key`,
  data: key,
  height,
  prove: true,
})

/** Tries the endpoints in order, until one gives a valid proof. */
const readValue = async (
  { node }: ProofReader,
  request: ProofRequest,
): Promise<Answer<ProvedValue>> => {
  const key = proposalKey(BigInt(request.proposalId))
  const avoid: AbciAnswer[] = []
  let reason = ''
  for (;;) {
    let answer: AbciAnswer
    try {
      answer = await node.abciQuery(createAbciRequest(key, request.height), { avoid })
    } catch (error) {
      // The others are down: the response of the one endpoint is the result.
      if (avoid.length === 0 || !(error instanceof AppError) || error.code === 'ABORTED')
        throw error
      return unavailable(reason)
    }
    const judged = judge(answer, key, request)
    if (!('rejected' in judged)) return judged
    avoid.push(answer)
    // A wrong proof is a better reason than a missing one.
    if (reason === '' || judged.isFault) reason = judged.rejected
    const hasOther = node.refuse?.(avoid, judged.isFault ? judged.rejected : null) ?? false
    if (!hasOther || avoid.length >= MAX_REFUSALS) return unavailable(reason)
  }
}

type State = {
  lightBlock: Answer<SignedBlock> | undefined
  values: Map<PendingProof, Answer<ProvedValue>>
  /** Of the last error. */
  reason: string
  unverifiable: string | undefined
}

type Due = { height: number; hash: string; stateHeight: number; proofs: readonly PendingProof[] }

/** Reads into `state` the proofs that it lacks. */
const attempt = async (
  reader: ProofReader,
  due: Due,
  { state, limit, signal }: { state: State; limit: LimitFunction; signal: AbortSignal },
): Promise<void> => {
  const { lightBlock } = reader.node
  const onRetry = (error: AppError) => {
    state.reason = describeError(error)
    state.unverifiable = findUnverifiable(error)
  }
  const retrying = { signal, onRetry }
  state.lightBlock ??= lightBlock
    ? await retried(reader, async () => known(await lightBlock(due.height, due.hash)), retrying)
    : unavailable('the node does not return light blocks')
  if (!state.lightBlock || !isKnown(state.lightBlock)) return
  const { appHash } = state.lightBlock.value
  const missing = due.proofs.slice(0, MAX_READS).filter((each) => !state.values.has(each))
  const read = async (each: PendingProof) => {
    const request = { proposalId: each.proposalId, height: due.stateHeight, appHash }
    const readInTurn = () =>
      limit(() => {
        if (signal.aborted) throw abortedError(signal)
        return readValue(reader, request)
      })
    const answer = await retried(reader, readInTurn, retrying)
    if (answer) state.values.set(each, answer)
  }
  await readEach(missing, { read, underWay: READS_UNDER_WAY }, signal)
}

const isComplete = ({ lightBlock, values }: State, { proofs }: Due): boolean =>
  lightBlock !== undefined &&
  (!isKnown(lightBlock) || values.size >= Math.min(proofs.length, MAX_READS))

const outcome = (
  { lightBlock, values, reason, unverifiable }: State,
  { height, proofs }: Due,
): ProofReads => {
  const late = unavailable(
    unverifiable === undefined
      ? `no endpoint returned it in time: ${reason || 'none answered'}`
      : describeUnverifiable(unverifiable),
  )
  const block = lightBlock ?? late
  const missing =
    isKnown(block) || unverifiable !== undefined
      ? late
      : unavailable(`no light block of height ${height}: ${block.unavailable}`)
  const beyond = unavailable(`more than ${MAX_READS} proofs are due at one height`)
  return {
    lightBlock: block,
    unverifiable: isKnown(block) ? undefined : unverifiable,
    proofs: proofs.map((each, n) => ({
      ...each,
      found: values.get(each) ?? (n < MAX_READS ? missing : beyond),
    })),
  }
}

/** After two headers in a row that no endpoint has in a form that can be verified, no proof is read for so long. */
const UNVERIFIABLE_MS = 10 * 60_000

/** Undefined if nothing is due. */
export type ReadProofs = (
  planned: Pick<PlannedHeight, 'block' | 'dueProofs'>,
) => Promise<ProofReads | undefined>

/**
 * There are two attempts; before the second, it waits until an endpoint answers. So an outage of all endpoints
 * loses no proof. Endpoints that answer everything except proofs delay one height by two attempts. After that,
 * the attempts are short.
 */
export const createProofReads = (reader: ProofReader): ReadProofs => {
  const { clock, signal } = reader
  const { budgetMs = policies.readProof.budgetMs } = reader
  const { budgetAfterHangMs = policies.proofsAfterHang.budgetMs } = reader
  const limit = pLimit(READS_UNDER_WAY)
  let briefUntilMs = 0
  let unverifiable: string | undefined
  let unverifiableUntilMs = 0
  return async ({ block, dueProofs }) => {
    if (!dueProofs) return undefined
    const due = { ...dueProofs, height: block.height - 1, hash: block.previousHash }
    const state: State = { lightBlock: undefined, values: new Map(), reason: '', unverifiable }
    if (clock.now() < unverifiableUntilMs) return outcome(state, due)
    state.unverifiable = undefined
    const isBrief = clock.now() < briefUntilMs
    for (let count = 1; count <= ATTEMPTS && !isComplete(state, due); count++) {
      if (count > 1) await reader.untilReachable()
      const limits = { budgetMs: isBrief ? budgetAfterHangMs : budgetMs, clock, signal }
      await createReadBudget(limits).spend((until) =>
        attempt(reader, due, { state, limit, signal: until }),
      )
    }
    if (isComplete(state, due)) briefUntilMs = 0
    else if (!isBrief) briefUntilMs = clock.now() + policies.proofsAfterHang.forMs
    const found = outcome(state, due)
    const isRepeated = unverifiable !== undefined && found.unverifiable !== undefined
    unverifiable = found.unverifiable
    if (isRepeated) unverifiableUntilMs = clock.now() + UNVERIFIABLE_MS
    return found
  }
}
