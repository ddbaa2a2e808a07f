// Reads and verifies the proofs that are due at a height, within a time limit. A proof that no endpoint gives in time is missing,
// with the reason. Then the next heights wait only briefly, until a proof is returned.
import { equalBytes } from '@noble/curves/utils.js'
import pLimit, { type LimitFunction } from 'p-limit'
import { computeAppHash, readProofOps } from '../../infra/base/proof/existence.ts'
import { readJson } from '../../infra/base/proof/json-reader.ts'
import { ProofError } from '../../infra/base/proof/proof-error.ts'
import { GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import { abortedError } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { delayAfter } from '../../infra/base/runtime/retry.ts'
import { type Answer, isKnown, known, unavailable } from '../chain/answer.ts'
import { explainFailure } from '../chain/query.ts'
import type { AbciAnswer, ChainNode, SignedBlock } from '../comet/endpoints/node.ts'
import { findUnverifiable } from '../comet/verification/light-block.ts'
import type { ProofOp } from '../contract/proof-events.ts'
import type { PlannedHeight } from '../heights/plan.ts'
import { createReadBudget } from '../rounds/read-budget.ts'
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
/** Limit of all heights: proofs that hang must leave calls to the endpoint for blocks. */
const READS_UNDER_WAY = 8
/** Number of endpoints that may give an invalid proof before the proof is missing. */
const MAX_REFUSALS = 8

/** Without the names of endpoints: the log is public. */
const describeError = ({ message, cause }: AppError): string =>
  cause instanceof AppError ? cause.message : message

/** Throws a `ProofError` if the proof does not connect the value with the app hash. */
const verifyValue = (key: Uint8Array, { value, proofOps }: ProvedValue, appHash: string): void => {
  const ops = readProofOps(readJson(proofOps, 'proofOps'))
  const found = computeAppHash({ store: GOV_STORE, key, value }, ops)
  if (equalBytes(found, Buffer.from(appHash, 'hex'))) return
  throw new ProofError('wrong_app_hash', 'The proof leads to another app hash than the header has.')
}

type ProofRequest = { proposalId: string; height: number; appHash: string }

/** `isFault`: the endpoint gave a wrong proof, not a missing one. */
type Judged = { proved: ProvedValue } | { rejected: string; isFault: boolean }

const judge = (answer: AbciAnswer, key: Uint8Array, { height, appHash }: ProofRequest): Judged => {
  const reject = (rejected: string, isFault = false) => ({ rejected, isFault })
  if (answer.kind !== 'value') return reject(explainFailure(answer, height))
  const { value, proofOps } = answer
  if (value.length === 0)
    return reject(`the store ${GOV_STORE} has no such key at height ${height}`)
  if (!proofOps?.length) return reject('the node does not return proofs')
  try {
    verifyValue(key, { value, proofOps }, appHash)
    return { proved: { value, proofOps } }
  } catch (error) {
    if (error instanceof ProofError) return reject(error.message, true)
    throw error
  }
}

/** Tries the endpoints in order, until one gives a valid proof. */
const readValue = async (
  node: ProofReader['node'],
  request: ProofRequest,
): Promise<Answer<ProvedValue>> => {
  const data = proposalKey(BigInt(request.proposalId))
  const query = {
    path: `/store/${GOV_STORE}/key`,
    data,
    height: request.height,
    prove: true,
  } as const
  const avoid: AbciAnswer[] = []
  let reason = ''
  for (;;) {
    const answer = await node.abciQuery(query, { avoid }).catch((error: unknown) => {
      // The others are down: the response of the one endpoint is the result.
      if (avoid.length > 0 && error instanceof AppError && error.code !== 'ABORTED')
        return undefined
      throw error
    })
    if (!answer) return unavailable(reason)
    const judged = judge(answer, data, request)
    if ('proved' in judged) return known(judged.proved)
    avoid.push(answer)
    // A wrong proof is a better reason than a missing one.
    if (reason === '' || judged.isFault) reason = judged.rejected
    const hasOther = node.refuse?.(avoid, judged.isFault ? judged.rejected : null) ?? false
    if (!hasOther || avoid.length >= MAX_REFUSALS) return unavailable(reason)
  }
}

type Due = { height: number; hash: string; stateHeight: number; proofs: readonly PendingProof[] }

/** What is read of one height, by one or two attempts. */
class HeightProofs {
  readonly #due: Due
  readonly #node: ProofReader['node']
  #lightBlock: Answer<SignedBlock> | undefined
  readonly #values = new Map<PendingProof, Answer<ProvedValue>>()
  /** Of the last error. */
  #reason = ''
  #unverifiable: string | undefined

  constructor(due: Due, node: ProofReader['node']) {
    this.#due = due
    this.#node = node
  }

  get isComplete(): boolean {
    if (!this.#lightBlock) return false
    return !isKnown(this.#lightBlock) || this.#values.size >= this.#due.proofs.length
  }

  /** What is missing, each once. */
  async readMissing(limit: LimitFunction, signal: AbortSignal): Promise<void> {
    const { height, hash, stateHeight, proofs } = this.#due
    const node = this.#node
    this.#lightBlock ??= await this.#try(async () =>
      node.lightBlock
        ? known(await node.lightBlock(height, hash))
        : unavailable('the node does not return light blocks'),
    )
    if (!this.#lightBlock || !isKnown(this.#lightBlock)) return
    const { appHash } = this.#lightBlock.value
    const read = async (proof: PendingProof) => {
      const { proposalId } = proof
      const answer = await limit(() => {
        if (signal.aborted) throw abortedError(signal)
        return this.#try(() => readValue(node, { proposalId, height: stateHeight, appHash }))
      })
      if (answer) this.#values.set(proof, answer)
    }
    await Promise.all(proofs.filter((each) => !this.#values.has(each)).map(read))
  }

  toReads(): ProofReads {
    const { height, proofs } = this.#due
    const unverifiable = this.#unverifiable
    const late = unavailable(
      unverifiable === undefined
        ? `no endpoint returned it in time: ${this.#reason || 'none answered'}`
        : `the headers of this chain cannot be verified: ${unverifiable}`,
    )
    const lightBlock = this.#lightBlock ?? late
    const isUnverifiable = !isKnown(lightBlock) && unverifiable !== undefined
    const missing =
      isKnown(lightBlock) || isUnverifiable
        ? late
        : unavailable(`no light block of height ${height}: ${lightBlock.unavailable}`)
    return {
      lightBlock,
      unverifiable: isUnverifiable ? unverifiable : undefined,
      proofs: proofs.map((each) => ({ ...each, found: this.#values.get(each) ?? missing })),
    }
  }

  /** An error that may pass gives undefined; a permanent one is a result. */
  async #try<Value>(read: () => Promise<Answer<Value>>): Promise<Answer<Value> | undefined> {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'ABORTED') throw error
      this.#reason = describeError(error)
      this.#unverifiable = findUnverifiable(error)
      return error.retryable ? undefined : unavailable(this.#reason)
    }
  }
}

/** Undefined if nothing is due. */
export type ReadProofs = (
  planned: Pick<PlannedHeight, 'block' | 'dueProofs'>,
) => Promise<ProofReads | undefined>

/**
 * There are two attempts; before the second, it waits until an endpoint answers. So an outage of all endpoints
 * loses no proof. Endpoints that answer everything except proofs delay one height by two attempts. After that,
 * the attempts are short.
 */
export function createProofReads(reader: ProofReader): ReadProofs {
  const { clock, node, signal } = reader
  const { budgetMs = policies.readProof.budgetMs } = reader
  const { budgetAfterHangMs = policies.proofsAfterHang.budgetMs } = reader
  const limit = pLimit(READS_UNDER_WAY)
  let briefUntilMs = 0
  return async ({ block, dueProofs }) => {
    if (!dueProofs) return undefined
    const due = { ...dueProofs, height: block.height - 1, hash: block.previousHash }
    const found = new HeightProofs(due, node)
    const attempt = async (until: AbortSignal) => {
      for (let rounds = 1; ; rounds++) {
        await found.readMissing(limit, until)
        if (found.isComplete) return
        await clock.sleep(delayAfter(rounds, policies.readProof), until)
      }
    }
    const isBrief = clock.now() < briefUntilMs
    const limits = { budgetMs: isBrief ? budgetAfterHangMs : budgetMs, clock, signal }
    for (let count = 1; count <= ATTEMPTS && !found.isComplete; count++) {
      if (count > 1) await reader.untilReachable()
      await createReadBudget(limits).spend(attempt)
    }
    if (found.isComplete) briefUntilMs = 0
    else if (!isBrief) briefUntilMs = clock.now() + policies.proofsAfterHang.forMs
    return found.toReads()
  }
}
