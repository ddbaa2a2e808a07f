// Reads headers through `/commit`, which every version of CometBFT has, with clear errors for heights that it does not have.
import { askInTurn } from '../endpoints/ask-endpoints.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { BlockHeader, ChainNode } from '../endpoints/node.ts'
import { type Pool, untilBelieved, type Within } from '../endpoints/pool.ts'
import { invalidResponse, readHeight, text } from '../transport/decode.ts'
import type { RpcCommit, RpcHeader } from '../transport/wire.ts'
import { decodeHash, decodeTime } from './decode-block.ts'

const decodeHeader = (
  { signed_header: signed }: RpcCommit,
  asked: { chainId: string; height: number },
): BlockHeader => {
  const header = (signed?.header ?? {}) as RpcHeader
  const height = readHeight(header.height, 'header.height')
  const chainId = text(header.chain_id, 'header.chain_id')
  if (height !== asked.height || chainId !== asked.chainId) {
    const found = `height ${height} of ${chainId.slice(0, 64)}`
    throw invalidResponse(`asked for the header of height ${asked.height}, got that of ${found}`)
  }
  const previousHash = decodeHash(header.last_block_id?.hash)
  return { height, time: decodeTime(header.time), previousHash }
}

export const createHeaders =
  (pool: Pool, { chainId, within }: { chainId: string; within: Within }): ChainNode['header'] =>
  (height) => {
    const ask = async (endpoint: Endpoint) => {
      const commit = await endpoint.call<RpcCommit>('commit', { height: `${height}` })
      return decodeHeader(commit, { chainId, height })
    }
    const need = { kept: 'block', height } as const
    const round = () => untilBelieved(pool, need)(() => askInTurn(pool.endpoints, need, ask))
    return within(`header ${height}`, round)
  }
