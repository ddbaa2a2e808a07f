// Reads proposals as x/gov stores them: the raw store needs no registered message type, unlike the queries.
import { GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import type { ChainNode } from '../comet/endpoints/node.ts'

type Node = Pick<ChainNode, 'abciQuery'>

/** The next ID, in SDK 0.40 to 0.54: eight bytes, big-endian. */
const NEXT_ID = Uint8Array.of(0x03)
const ID_BYTES = 8

/** More IDs than any chain has. The oldest ones are left out. */
export const MAX_PROPOSAL_IDS = 20_000

const readStore = async (
  node: Node,
  key: Uint8Array,
  height: number,
): Promise<Uint8Array | undefined> => {
  const path = `/store/${GOV_STORE}/key`
  const answer = await node.abciQuery({ path, data: key, height })
  return answer.kind === 'value' && answer.value.length > 0 ? answer.value : undefined
}

/** The stored bytes; undefined if there are none, or if the node does not serve its store. */
export function storedProposalAt(
  node: Node,
  proposalId: string,
  height: number,
): Promise<Uint8Array | undefined> {
  return readStore(node, proposalKey(BigInt(proposalId)), height)
}

/** True if the node serves a store of x/gov. */
export async function hasGovStore(node: Node, height: number): Promise<boolean> {
  return (await readStore(node, NEXT_ID, height)) !== undefined
}

/** All IDs below the next one, in order. Undefined if the node does not serve it. */
export async function proposalIdsAt(node: Node, height: number): Promise<string[] | undefined> {
  const bytes = await readStore(node, NEXT_ID, height)
  const next = bytes?.length === ID_BYTES ? Buffer.from(bytes).readBigUInt64BE() : 0n
  if (next === 0n) return undefined
  const first = next > MAX_PROPOSAL_IDS ? next - BigInt(MAX_PROPOSAL_IDS) : 1n
  return Array.from({ length: Number(next - first) }, (_, index) => String(first + BigInt(index)))
}
