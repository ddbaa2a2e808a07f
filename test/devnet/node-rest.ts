// Reads the node's own REST API at any height, as the reference for Rollcall's responses.
const REQUEST_TIMEOUT_MS = 20_000

export type RestProposal = {
  id: string
  status: string
  title: string
  summary: string
  metadata: string
  proposer: string
  expedited: boolean
  failed_reason: string
  submit_time: string
  deposit_end_time: string | null
  voting_start_time: string | null
  voting_end_time: string | null
  total_deposit: { denom: string; amount: string }[]
  final_tally_result: RestTally
}
export type RestTally = {
  yes_count: string
  abstain_count: string
  no_count: string
  no_with_veto_count: string
}
type RestVote = { voter: string; options: { option: string; weight: string }[] }

export type NodeRest = {
  /** Undefined if the chain does not have it at that height. */
  proposal(id: string, height: number): Promise<RestProposal | undefined>
  tally(id: string, height: number): Promise<RestTally>
  votes(id: string, height: number): Promise<RestVote[]>
}

export function createNodeRest(url: string): NodeRest {
  const get = async (path: string, height: number) => {
    const response = await fetch(`${url}/cosmos/gov/v1/proposals/${path}`, {
      headers: { 'x-cosmos-block-height': String(height) },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`${path} at ${height}: ${await response.text()}`)
    return JSON.parse(await response.text())
  }
  return {
    proposal: async (id, height) => (await get(id, height))?.proposal,
    tally: async (id, height) => (await get(`${id}/tally`, height))?.tally,
    votes: async (id, height) =>
      (await get(`${id}/votes?pagination.limit=100000`, height))?.votes ?? [],
  }
}
