// A chain of blocks without state: linked by hashes, six seconds apart, and growing by what is added.

import { toAbciResponse } from '../../../infra/app/chain/query.ts'
import { sha256, timeAt } from './blocks.ts'
import type { ChainTx, ServedBlock, ServedChain } from './rpc/served-chain.ts'

/** What is not given is empty, or different at every position of the chain. */
export type BlockContent = Omit<ServedBlock, 'time' | 'hash' | 'previousHash' | 'txs'> & {
  time?: string
  txs?: readonly Partial<ChainTx>[]
}

export type BlockChain = ServedChain & {
  /** Appends a block; returns its height. */
  add(content?: BlockContent): number
}

/** With the nanoseconds of a node. */
const nanosecondsAt = (height: number): string => timeAt(height).replace('Z', '000000Z')

export const refuseQuery: ServedChain['query'] = () =>
  toAbciResponse({ code: 6, codespace: 'sdk', log: 'unknown query path: unknown request' })

/** `blocks`: their contents, or a number of empty blocks. */
export const createBlockChain = ({
  chainId = 'simulated-1',
  firstHeight = 1,
  blocks = [],
  query = refuseQuery,
}: {
  chainId?: string
  firstHeight?: number
  blocks?: readonly BlockContent[] | number
  query?: ServedChain['query']
} = {}): BlockChain => {
  const contents: BlockContent[] =
    typeof blocks === 'number' ? Array.from({ length: blocks }, () => ({})) : [...blocks]
  const hashAt = (height: number) => (height < firstHeight ? '' : sha256(`${chainId}/${height}`))
  return {
    chainId,
    firstHeight,
    get tip() {
      return firstHeight + contents.length - 1
    },
    block: (height) => {
      const {
        time = nanosecondsAt(height),
        txs = [],
        ...events
      } = contents[height - firstHeight] ?? {}
      return {
        ...events,
        time,
        hash: hashAt(height),
        previousHash: hashAt(height - 1),
        txs: txs.map((tx, index) => ({ bytes: Buffer.from(`tx ${index} of ${height}`), ...tx })),
      }
    },
    query,
    add: (content = {}) => firstHeight + contents.push(content) - 1,
  }
}

/** The same chain with some members replaced. */
export const alterChain = <Chain extends ServedChain>(
  chain: Chain,
  members: Partial<ServedChain>,
): Chain => Object.create(chain, Object.getOwnPropertyDescriptors(members))

const toOtherHash = (hash: string): string =>
  hash && (15 - Number.parseInt(hash.slice(0, 1), 16)).toString(16).toUpperCase() + hash.slice(1)

/** The same blocks with different hashes: another chain with the same id. */
export const forkChain = <Chain extends ServedChain>(chain: Chain): Chain =>
  alterChain(chain, {
    block: (height) => {
      const block = chain.block(height)
      const { hash, previousHash } = block
      return { ...block, hash: toOtherHash(hash), previousHash: toOtherHash(previousHash) }
    },
  })
