// The port to the chain: every request that ingest may send to RPC endpoints, with fail-over and checks.
import type { TrustedHeader } from '../../../infra/base/proof/trusted-header.ts'
import type { ConsensusValidator, ProofOp } from '../../contract/proof-events.ts'
import type { Block, HeightRange } from '../blocks/block.ts'
import type { Reservation } from '../transport/memory-budget.ts'

export type NodeStatus = {
  chainId: string
  latestHeight: number
  latestTime: string
  earliestHeight: number
  catchingUp: boolean
}

/** `refused` contains the message of the node; `pruned` means that the state of this height is deleted. */
export type AbciAnswer =
  | { kind: 'value'; value: Uint8Array; proofOps?: readonly ProofOp[] }
  | { kind: 'not_found'; log: string }
  | { kind: 'pruned'; log: string }
  | { kind: 'refused'; code: number; codespace: string; log: string }

export type AbciRequest = {
  path: string
  data: Uint8Array
  height: number
  /** The response has `proofOps` if the node returns proofs. One short attempt per endpoint. */
  prove?: true
}

/** How long a read is repeated over all endpoints. */
export type Patience = {
  /** 0: once. By default the budget of the node. A read without a limit holds the pipeline, and `/readyz` names it. */
  budgetMs?: number | undefined
  signal?: AbortSignal | undefined
}

export type AbciOptions = Patience & {
  /** Excludes endpoints that served one of these responses. */
  avoid?: readonly AbciAnswer[]
  /**
   * Asks only other hosts than those that served these responses: a second opinion. A few short attempts, then
   * `RPC_UNAVAILABLE`.
   */
  besides?: readonly AbciAnswer[]
  /** Prefers the endpoint that served this response: all pages of a list come from one endpoint. */
  after?: AbciAnswer | undefined
}
export type BlockOptions = Patience & {
  /** The next block of the log: also waits for what all endpoints refuse, and for a block with this `previousHash`. */
  isRequired?: boolean | undefined
  previousHash?: string
  /** Present only if headers are verified. */
  validatorsHash?: string
  notBefore?: string
  instead?: Block
  /** No reading of an open vote follows: events that move stake are not needed. */
  isPast?: boolean
  /** Has the memory of the responses, until its owner settles or closes it. */
  memory?: Reservation
}

/** The members of a header that place its block in time. */
export type BlockHeader = Pick<Block, 'height' | 'time' | 'previousHash'>

/** In the order of the index, each once. `reason`: why some may be missing; null if the index says that none is. */
export type FoundHeights = { heights: readonly number[]; reason: string | null }

/** Verified: the header has the requested hash, and its validators signed it. Members as in the RPC. */
export type SignedBlock = {
  header: Record<string, unknown>
  commit: Record<string, unknown>
  validators: ConsensusValidator[]
  /** In hex, as in the header. */
  validatorsHash: string
  appHash: string
}

export type TrustedBlock = { previousHash: string; validatorsHash: string }

/**
 * Every call has a deadline and fails over to another endpoint of the same chain. Throws `AppError`:
 * `RPC_UNAVAILABLE` after every endpoint failed for the retry budget, which may be 0. `HEIGHT_UNAVAILABLE` if no
 * endpoint has the block any more. `ABORTED`.
 */
export type ChainNode = {
  readonly chainId: string
  status(patience?: Patience): Promise<NodeStatus>
  /** The latest height. Where a new height is found, its header need not be read any more. */
  latestHeight(patience?: Patience): Promise<number>
  /**
   * `block` and `block_results` of one height, decoded and checked against each other. Skips endpoints with a
   * different `previousHash`, a time earlier than `notBefore` or a different `validatorsHash`. Throws
   * `CHAIN_FORKED` if the `previousHash` of all endpoints is different. `instead` is a refused block: its
   * endpoint is blamed.
   */
  block(height: number, options?: BlockOptions): Promise<Block>
  /**
   * At most twenty blocks that follow each other, in a few requests to one endpoint, without a repeat. Throws as `block` does, and
   * any error of the endpoint: then each height is asked for alone.
   */
  blockRange?(
    range: HeightRange,
    options: { memory: Reservation; isPast: boolean; signal?: AbortSignal | undefined },
  ): Promise<Block[]>
  /** The header of a block, without its transactions and results. Throws as `block` does. */
  header(height: number, patience?: Patience): Promise<BlockHeader>
  /**
   * The heights of the transactions that match a query of the transaction index. Only a hint: nothing of it is verified.
   * A node without an index gives the reason.
   */
  searchTxs(query: string, patience?: Patience): Promise<FoundHeights>
  /**
   * Only if headers are verified: the hash of the validators after the block of this height and hash. Null if
   * no endpoint has the block any more. Waits while all of them have another block.
   */
  nextValidatorsHash?(height: number, hash: string): Promise<string | null>
  /**
   * Only if headers are verified: the members of the header of this height, verified from the trusted header.
   * Throws `CONFIG_INVALID` if the trusted header cannot be used.
   */
  trustedBlock?(trusted: TrustedHeader, height: number): Promise<TrustedBlock>
  /**
   * gRPC method path, protobuf request, state height (0 = latest).
   */
  abciQuery(request: AbciRequest, options?: AbciOptions): Promise<AbciAnswer>
  /**
   * Blames the endpoint of the last response, for an error that only the caller can detect, unless `reason`
   * is null. True if another endpoint has not served any of these responses.
   */
  refuse?(answers: readonly AbciAnswer[], reason: string | null): boolean
  /**
   * The light block of a height; the next block must exist. `hash` is the required hash of the block. One
   * short attempt per endpoint. Throws as `block` does.
   */
  lightBlock?(height: number, hash: string): Promise<SignedBlock>
  /** One for each endpoint, for reads that nothing waits for: they yield to all others. */
  readonly background?: readonly BackgroundReader[]
  close(): Promise<void>
}

export type ChainReader = Omit<ChainNode, 'latestHeight' | 'close' | 'background'>

/** Reads one endpoint only. */
export type BackgroundReader = { name: string; node: ChainReader }

/** One block in order, with the tip that was known at its delivery. */
export type SourcedBlock = { block: Block; tip: number }

/** Delivers `from`, `from + 1`, … without a gap; ends only when aborted. */
export type BlockSource = {
  follow(options: {
    from: number
    previousHash: string | null
    /** Time of the block before `from`; null if unknown. */
    previousTime?: string | null
    signal: AbortSignal
  }): AsyncIterable<SourcedBlock>
}
