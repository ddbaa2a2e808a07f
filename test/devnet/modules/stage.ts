// What the proposals of the modules refer to: accounts, a contract and its code, light clients, the parameters in force.
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { RawRpc } from '../rpc.ts'

export type Stage = {
  rpc: RawRpc
  /** The governance account, which signs the messages of every proposal. */
  governance: string
  recipient: string
  /** A second account, where one is not enough. */
  other: string
  /** Operator addresses of two pools. */
  pools: readonly [string, string]
  /** The operator address that the governance account would have. */
  poolOfGovernance: string
  contract: string
  codeId: bigint
  /** A real contract, compressed as wallets upload it. */
  code: Uint8Array
  /** Light clients: one to recover and the one to recover it with. */
  clients: readonly [string, string]
  nowMs: number
}

export type ModuleProposal = { name: string; messages: Any[] }

export const seconds = (count: number) => ({ seconds: BigInt(count), nanos: 0 })

export const timestamp = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1_000)), nanos: 0 })

/** Decimals of the `LegacyDec` custom type are an integer of 1e-18 on the wire. */
export const scaled = (percent: number) => String(BigInt(percent) * 10n ** 16n)

export const jsonBytes = (value: unknown) => Buffer.from(JSON.stringify(value))

export const YEAR_MS = 365 * 86_400_000
