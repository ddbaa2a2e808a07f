// Tests which blocks may have transactions that their signed header does not cover.
import { toBase64 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { readHeader } from '../../../../../infra/base/proof/header.ts'
import { readJson } from '../../../../../infra/base/proof/json-reader.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import type { Endpoint } from '../../../../../ingest/comet/endpoints/endpoint.ts'
import { createDataHashes } from '../../../../../ingest/comet/verification/data-hash.ts'
import type { SignedChain } from '../../../../support/chain/signed-nodes.ts'
import { type BlockContent, createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { sha256 } from '../../../../support/simulator/blocks.ts'
import { createSignedChain } from '../../../../support/simulator/signed-chain.ts'

const TIP = 6
const EMPTY_SQUARE = '3D96B7D238E7E0456F6AF8E7CDF0A67BD6CF9C2089ECB559C659DCAA1F880353'

const vote = (height: number): BlockContent => ({ txs: [{ bytes: Buffer.from(`vote ${height}`) }] })
const votes = (): BlockContent[] => Array.from({ length: TIP }, (_, index) => vote(index + 1))

const squareOf = (txs: readonly Uint8Array[]): string =>
  txs.length === 0 ? EMPTY_SQUARE : sha256(`square ${Buffer.concat(txs)}`)

const squares = (blocks = votes()): SignedChain =>
  createSignedChain(createBlockChain({ blocks }), { dataHashOf: squareOf })
const plain = (blocks = votes()): SignedChain => createSignedChain(createBlockChain({ blocks }))

type Txs = readonly Uint8Array[]
const asIs = (txs: Txs): Txs => txs
const altered = (txs: Txs): Txs => [...txs, Buffer.from('forged')]

type Options = { host?: string; serve?: (txs: Txs) => Txs; prunedBelow?: number }

const createEndpoint = (
  chain: SignedChain,
  { host = 'a', serve = asIs, prunedBelow = 1 }: Options = {},
) => {
  const txsAt = (height: number) => serve((chain.block(height).txs ?? []).map(({ bytes }) => bytes))
  const call = async (method: string, params: Record<string, unknown>) => {
    const height = Number(params['height'])
    if (height < prunedBelow) throw new AppError('RPC_REFUSED', `lowest height is ${prunedBelow}`)
    const { header, commit } = chain.signed(height)
    if (method === 'commit') return { signed_header: { header, commit }, canonical: true }
    return { block: { header, data: { txs: txsAt(height).map((tx) => toBase64(tx)) } } }
  }
  return { endpoint: { host, call } as unknown as Endpoint, txsAt, chain }
}

type Served = ReturnType<typeof createEndpoint>

const setup = (served: readonly Served[]) => {
  const dataHashes = createDataHashes({ endpoints: served.map(({ endpoint }) => endpoint) })
  return ({ endpoint, chain, txsAt }: Served, height = TIP): Promise<boolean> =>
    dataHashes.verify(
      endpoint,
      txsAt(height).map((tx) => ({ hash: sha256(tx) })),
      readHeader(readJson(chain.signed(height).header, 'header')),
    )
}

const REFUSED = 'Its transactions do not have the hash that the header names.'

describe('a chain whose headers have the root of a data square', () => {
  it('is accepted without verified transactions, also of a block without any', async () => {
    const served = createEndpoint(squares([vote(1), vote(2), vote(3), vote(4), {}]))
    const verify = setup([served])
    expect(await verify(served, served.chain.tip)).toBe(false)
    expect(await verify(served, 2)).toBe(false)
  })

  it('is accepted only after two hosts show it, and says that it waits for the second one', async () => {
    const chain = squares()
    const one = createEndpoint(chain, { host: 'a' })
    const two = createEndpoint(chain, { host: 'b', prunedBelow: TIP + 1 })
    const verify = setup([one, two])
    await expect(verify(one)).rejects.toMatchObject({ code: 'RPC_REFUSED', retryable: true })
    await expect(verify(one)).rejects.toThrow('waiting for a second endpoint')
    expect(await verify(two, TIP).catch(() => 'pruned')).toBe('pruned')
  })
})

describe('a chain whose headers have the hash of the transactions', () => {
  it('refuses an endpoint that is alone and changes every block, of which one has no transactions', async () => {
    const served = createEndpoint(plain([vote(1), vote(2), {}, vote(4)]), { serve: altered })
    await expect(setup([served])(served, served.chain.tip)).rejects.toThrow(REFUSED)
  })

  it('refuses an endpoint that changes every block if another one does not', async () => {
    const chain = plain()
    const liar = createEndpoint(chain, { host: 'a', serve: altered })
    const honest = createEndpoint(chain, { host: 'b' })
    const verify = setup([liar, honest])
    await expect(verify(liar)).rejects.toThrow(REFUSED)
    expect(await verify(honest)).toBe(true)
    await expect(verify(liar)).rejects.toThrow(REFUSED)
  })

  it('refuses an endpoint whose earlier blocks are of another chain', async () => {
    const served = createEndpoint(squares())
    const other = squares([vote(9), vote(9), vote(9), vote(9), vote(9)])
    const call = async (method: string, params: Record<string, unknown>) =>
      createEndpoint(Number(params['height']) < TIP ? other : served.chain).endpoint.call(
        method,
        params,
      )
    const mixed = { ...served, endpoint: { host: 'a', call } as unknown as Endpoint }
    await expect(setup([mixed])(mixed)).rejects.toThrow(/The header of height 5 has the hash/)
  })
})
