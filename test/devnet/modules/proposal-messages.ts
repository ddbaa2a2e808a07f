// The messages of a proposal twice: as the chain keeps them, and as the node's REST shows them.
import { QueryProposalRequest, QueryProposalResponse } from 'cosmjs-types/cosmos/gov/v1/query'
import type { RawRpc } from '../rpc.ts'

const REQUEST_TIMEOUT_MS = 20_000

export type ProposalAt = { id: string; height: number }
export type StoredMessage = { typeUrl: string; value: Uint8Array }

export async function readStoredMessages(
  rpc: RawRpc,
  { id, height }: ProposalAt,
): Promise<StoredMessage[]> {
  const request = QueryProposalRequest.encode({ proposalId: BigInt(id) }).finish()
  const bytes = await rpc.query('/cosmos.gov.v1.Query/Proposal', request, height)
  return QueryProposalResponse.decode(bytes).proposal?.messages ?? []
}

export type RestMessage = { '@type': string } & Record<string, unknown>

export async function readRestMessages(
  restUrl: string,
  { id, height }: ProposalAt,
): Promise<RestMessage[]> {
  const response = await fetch(`${restUrl}/cosmos/gov/v1/proposals/${id}`, {
    headers: { 'x-cosmos-block-height': String(height) },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`proposal ${id} at ${height}: ${await response.text()}`)
  return JSON.parse(await response.text()).proposal.messages
}
