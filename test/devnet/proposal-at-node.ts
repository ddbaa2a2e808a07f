// Verifies a proposal with its stored bytes, their ICS-23 proof and light blocks from a node.
// `infra/base/proof` checks every member of the JSON.
import { toHex } from '@cosmjs/encoding'
import { GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import type { TrustedHeader } from '../../infra/base/proof/trusted-header.ts'
import type { VerifiedProposal } from '../../infra/base/proof/verify.ts'
import { middleHeight, verifyFromSource } from '../../infra/base/proof/verify-from-source.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import { createMemoryBudget } from '../../ingest/comet/transport/memory-budget.ts'
import { RpcClient } from '../../ingest/comet/transport/rpc.ts'
import { readLightBlockJson } from '../../ingest/comet/verification/light-block.ts'
import { verifySignature } from '../../ingest/comet/verification/validator-sets.ts'

const MIB = 1024 * 1024
const LIMITS = { timeoutMs: 10_000, maxConcurrentCalls: 4 }

export type NodeSource = {
  latestHeight(): Promise<number>
  /** `{ header, commit, validators }`. */
  lightBlock(height: number): Promise<object>
  /** JSON for `verifyProposal`; `height` is the height of the state. */
  proof(proposalId: bigint, height: number): Promise<{ value: string }>
  close(): void
}

type Status = { sync_info?: { latest_block_height?: string } }
type Stored = { response?: { value?: unknown; proofOps?: { ops?: unknown } } }

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('EVIDENCE_UNAVAILABLE', message, { expose: true, cause })

/** A height that the node does not have means missing evidence, for any reason. */
const createRefusal =
  (origin: string) =>
  (error: unknown): never => {
    const isRefusal = hasCode(error, 'RPC_REFUSED') || hasCode(error, 'HEIGHT_UNAVAILABLE')
    if (isRefusal && error instanceof Error)
      throw unavailable(`the node refused: ${error.message}`, error)
    if (hasCode(error, 'RPC_INVALID_RESPONSE'))
      throw unavailable(`the response of the node is not valid: ${error.message}`, error)
    if (hasCode(error, 'RPC_UNAVAILABLE'))
      throw unavailable(`the node at ${origin} cannot be used: ${error.message}`, error)
    throw error
  }

export const createNodeSource = (url: string, signal: AbortSignal): NodeSource => {
  const budget = createMemoryBudget(64 * MIB)
  const rpc = new RpcClient({ ...LIMITS, url, budget })
  const refused = createRefusal(new URL(url).origin)
  const call = <Result extends object>(method: string, params: Record<string, unknown> = {}) =>
    rpc.call<Result>(method, params, { signal }).catch(refused)

  const lightBlock = async (height: number): Promise<object> => {
    const { header, commit, validators } = await readLightBlockJson({ call }, BigInt(height)).catch(
      refused,
    )
    return { header, commit, validators }
  }
  return {
    lightBlock,
    latestHeight: async () =>
      Number((await call<Status>('status')).sync_info?.latest_block_height ?? 0),
    proof: async (proposalId, height) => {
      const key = toHex(proposalKey(proposalId))
      const path = `/store/${GOV_STORE}/key`
      const query = { path, data: key, height: `${height}`, prove: true }
      const [{ response }, block] = await Promise.all([
        call<Stored>('abci_query', query),
        lightBlock(height + 1),
      ])
      const { value, proofOps } = response ?? {}
      if (typeof value !== 'string' || value === '') {
        throw unavailable(`the node has no proposal ${proposalId} at height ${height}`)
      }
      return { height, store: GOV_STORE, key, value, proofOps: proofOps?.ops ?? [], ...block }
    },
    close: () => rpc.close(),
  }
}

export type VerifyAtNode = {
  url: string
  proposalId: bigint
  trusted: TrustedHeader
  /** The height of the state; by default the latest that a header confirms. */
  height: number | undefined
  signal: AbortSignal
}

/** Throws a `ProofError` for the first problem. */
export const verifyAtNode = async (options: VerifyAtNode): Promise<VerifiedProposal> => {
  const { proposalId, trusted, signal } = options
  const node = createNodeSource(options.url, signal)
  const readProof = async (): Promise<object> => {
    const height = options.height ?? (await node.latestHeight()) - 1
    if (height < 1) throw unavailable('the node has no header yet')
    return node.proof(proposalId, height)
  }
  const source = {
    proof: readProof,
    lightBlock: (height: bigint) => node.lightBlock(Number(height)),
    heightBetween: middleHeight,
    verifySignature,
  }
  try {
    return await verifyFromSource(source, { proposalId, trusted })
  } finally {
    node.close()
  }
}
