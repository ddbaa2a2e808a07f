// Reads proposals as x/gov stores them: the raw store needs no registered message type, unlike the queries.
import { GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { lastBytes, readFields } from '../schema/wire.ts'

type Node = Pick<ChainNode, 'abciQuery'>

/** Keys of SDK 0.40 to 0.54: `0x00 | id` for a proposal, `0x03` for the next ID. IDs have eight bytes, big-endian. */
const PROPOSALS = Uint8Array.of(0x00)
const NEXT_ID = Uint8Array.of(0x03)
const ID_BYTES = 8

/** More IDs than any chain has. The oldest ones are left out. */
export const MAX_PROPOSAL_IDS = 20_000

const readStore = async (
  node: Node,
  { method, key, height }: { method: 'key' | 'subspace'; key: Uint8Array; height: number },
): Promise<Uint8Array | undefined> => {
  const path = `/store/${GOV_STORE}/${method}`
  const answer = await node.abciQuery({ path, data: key, height })
  return answer.kind === 'value' && answer.value.length > 0 ? answer.value : undefined
}

/** The stored bytes; undefined if there are none, or if the node does not serve its store. */
export const storedProposalAt = (
  node: Node,
  proposalId: string,
  height: number,
): Promise<Uint8Array | undefined> =>
  readStore(node, { method: 'key', key: proposalKey(BigInt(proposalId)), height })

const readId = (bytes: Uint8Array): bigint => Buffer.from(bytes).readBigUInt64BE()

/** The response has the pairs in field 1, and each pair its key in field 1. */
const readIds = (pairs: Uint8Array): bigint[] =>
  readFields(pairs).flatMap(({ no, value }) => {
    const key = no === 1 && value instanceof Uint8Array && lastBytes(readFields(value), 1)
    return key && key.length === 1 + ID_BYTES ? [readId(key.subarray(1))] : []
  })

const idsBelow = (next: bigint): bigint[] => {
  const first = next > MAX_PROPOSAL_IDS ? next - BigInt(MAX_PROPOSAL_IDS) : 1n
  return Array.from({ length: Number(next - first) }, (_, index) => first + BigInt(index))
}

/** True if the node serves a store of x/gov. */
export const hasGovStore = async (node: Node, height: number): Promise<boolean> =>
  (await readStore(node, { method: 'key', key: NEXT_ID, height })) !== undefined

/**
 * In order: all below the next ID, which is small, else the keys of the store, which come with their values.
 * Undefined if the node serves neither.
 */
export const proposalIdsAt = async (node: Node, height: number): Promise<string[] | undefined> => {
  const next = await readStore(node, { method: 'key', key: NEXT_ID, height })
  if (next?.length === ID_BYTES && readId(next) > 0n) return idsBelow(readId(next)).map(String)
  const pairs = await readStore(node, { method: 'subspace', key: PROPOSALS, height })
  return pairs && readIds(pairs).slice(-MAX_PROPOSAL_IDS).map(String)
}
