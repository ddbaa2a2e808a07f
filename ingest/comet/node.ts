// The port to the chain: what ingest may ask of its RPC endpoints, fail-over and checks behind it.
import type { ConsensusValidator, ProofOp } from '../contract/proof-events.ts'
import type { Block } from './block.ts'

export type NodeStatus = {
  chainId: string
  latestHeight: number
  latestTime: string
  earliestHeight: number
  catchingUp: boolean
}

/** `refused` keeps the node's own words; `pruned` says that this height's state is gone. */
export type AbciAnswer =
  | { kind: 'value'; value: Uint8Array; proofOps?: readonly ProofOp[] }
  | { kind: 'not_found'; log: string }
  | { kind: 'pruned'; log: string }
  | { kind: 'refused'; code: number; codespace: string; log: string }

export type AbciRequest = {
  path: string
  data: Uint8Array
  height: number
  /** The answer has `proofOps` where the node gives proofs. Each endpoint is asked once, with little time. */
  prove?: true
}
export type AbciOptions = {
  /** Endpoints that served one of these answers are not asked. */
  avoid?: readonly AbciAnswer[]
  /** The endpoint that served this answer is asked first: the pages of one list come from one endpoint. */
  after?: AbciAnswer | undefined
}
export type BlockOptions = {
  previousHash?: string
  /** Where headers are verified. */
  validatorsHash?: string
  notBefore?: string
  instead?: Block
}

/** Checked: the header has the hash that was asked for, and its own validators signed it. As the RPC has the members. */
export type SignedBlock = {
  header: Record<string, unknown>
  commit: Record<string, unknown>
  validators: ConsensusValidator[]
  /** In hex, as the header has them. */
  validatorsHash: string
  appHash: string
}

/**
 * Every call has a deadline, is retried and fails over to another endpoint of the same chain.
 * Throws `AppError`: `RPC_UNAVAILABLE` once every endpoint failed for the retry budget,
 * `HEIGHT_UNAVAILABLE` where no endpoint has the block any more, `ABORTED`.
 */
export type ChainNode = {
  readonly chainId: string
  status(): Promise<NodeStatus>
  /**
   * `block` and `block_results` of one height, decoded and checked against each other. With
   * `previousHash`, endpoints whose block follows another one are passed over; throws `CHAIN_FORKED`
   * where that is all of them. With `notBefore` the same for those whose block is of an earlier
   * time, and with `validatorsHash` for those whose block has other validators. `instead` is the
   * block that was refused: the endpoint that served it is blamed.
   */
  block(height: number, options?: BlockOptions): Promise<Block>
  /**
   * Only where headers are verified: the hash of the validators after the block of this height and hash, null where no
   * endpoint has the block any more. Throws `CHAIN_FORKED` where all of them have another block.
   */
  nextValidatorsHash?(height: number, hash: string): Promise<string | null>
  /**
   * gRPC method path, protobuf request, state height (0 = latest).
   */
  abciQuery(request: AbciRequest, options?: AbciOptions): Promise<AbciAnswer>
  /**
   * The last of the answers is wrong in a way that only its reader can see: the endpoint that
   * served it is blamed, unless `reason` is null. True where there is an endpoint that served none of them.
   */
  refuse?(answers: readonly AbciAnswer[], reason: string | null): boolean
  /**
   * The light block of a height whose next block is there. `hash` is that of the block: another one is
   * refused. Each endpoint is asked once, with little time. Throws as `block` does.
   */
  lightBlock?(height: number, hash: string): Promise<SignedBlock>
  close(): Promise<void>
}

export type ChainReader = Omit<ChainNode, 'close'>

/** One block in order, with what was known of the chain's tip when it was delivered. */
export type SourcedBlock = { block: Block; tip: number }

/** Delivers `from`, `from + 1`, … without a gap, for ever; ends only when aborted. */
export type BlockSource = {
  follow(options: {
    from: number
    previousHash: string | null
    /** Time of the block before `from`; null where it is not known. */
    previousTime?: string | null
    signal: AbortSignal
  }): AsyncIterable<SourcedBlock>
}
