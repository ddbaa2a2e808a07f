// Tests headers that are read without their blocks: of the requested height and chain, or an error.
import { describe, expect, it } from 'vitest'
import { connectTo } from '../../../../support/chain/connected-nodes.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { RPC_FORMS } from '../../../../support/simulator/nodes/forms.ts'

const chain = createBlockChain({ blocks: 20 })

describe('a header', () => {
  it.each(RPC_FORMS)('is read with the time of its block from CometBFT %s', async (form) => {
    const { node, nodes } = await connectTo([{ chain, form }])
    expect(await node.header(7)).toEqual({
      height: 7,
      time: chain.block(7).time,
      previousHash: chain.block(6).hash,
    })
    expect(nodes[0]?.requests.map(({ method }) => method)).not.toContain('block')
  })

  it('has no previous block if it is the first one', async () => {
    const { node } = await connectTo([{ chain }])
    expect((await node.header(1)).previousHash).toBe('')
  })

  it('is read by each reader of a single endpoint', async () => {
    const { node } = await connectTo([{ chain }, { chain }])
    const headers = await Promise.all((node.background ?? []).map((each) => each.node.header(9)))
    expect(headers.map(({ height }) => height)).toEqual([9, 9])
  })

  it('is unavailable at a height that was pruned', async () => {
    const { node, nodes } = await connectTo([{ chain }])
    nodes[0]?.fault('pruned heights', { height: 10 })
    await expect(node.header(9)).rejects.toMatchObject({ code: 'HEIGHT_UNAVAILABLE' })
  })

  it.each([
    ['of another height', { height: '6' }],
    ['of another chain', { chain_id: 'other-1' }],
    ['with an impossible time', { time: '2026-02-30T00:00:00Z' }],
  ])('%s is refused', async (_, members) => {
    const { node } = await connectTo([
      {
        chain,
        reply: async (call, honest) => {
          const reply = await honest(call)
          if (call.method !== 'blockchain' || !('result' in reply)) return reply
          const { block_metas } = reply.result as { block_metas: { header: object }[] }
          const [meta] = block_metas
          return {
            result: { block_metas: [{ ...meta, header: { ...meta?.header, ...members } }] },
          }
        },
      },
    ])
    await expect(node.header(7)).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  })
})
