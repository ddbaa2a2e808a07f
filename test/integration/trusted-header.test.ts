// Tests that TRUSTED_HEADER verifies the first block of a log from a header of another source.
import { describe, expect, it } from 'vitest'
import {
  createVotes,
  expectWhole,
  SIGNED_TIP,
  signedByLiars,
  signedNode,
  startVerifiedRig,
} from '../support/chain/signed-nodes.ts'
import { waitUntil } from '../support/chain/source-rig.ts'

/** One of three validators is replaced every three heights: no hop is longer than six. */
const CHAIN = createVotes((height) => {
  const oldest = Math.floor(height / 3)
  return [0, 1, 2].map((n) => ({ name: `validator ${oldest + n}`, power: 10 }))
})
const ANY_HASH = 'CD'.repeat(32)
const FIRST = 10
const trustedAt = (height: number) => ({ height: BigInt(height), hash: CHAIN.block(height).hash })
const FROM = { from: FIRST }

describe('a log that begins with a trusted header', () => {
  it.each([
    [FIRST, 1],
    [FIRST, FIRST],
    [1, 1],
  ])(
    'verifies its first block, of height %i, from the header of height %i',
    async (from, trusted) => {
      const rig = await startVerifiedRig(CHAIN, [signedNode(CHAIN)], {
        trustedHeader: trustedAt(trusted),
      })
      void rig.follow({ from })
      await rig.reached(SIGNED_TIP)
      expectWhole(rig, from)
      expect(rig.refusals(0)).toEqual([])
      const verified = rig.lines.filter(
        ({ msg }) => msg === 'verified the first block from the trusted header',
      )
      expect(verified).toEqual([expect.objectContaining({ height: from, trustedHeight: trusted })])
    },
  )

  it('refuses an endpoint that invents the first block and its validators, by name', async () => {
    const lying = signedNode(CHAIN, signedByLiars, (height) => height >= FIRST)
    const rig = await startVerifiedRig(CHAIN, [lying, signedNode(CHAIN)], {
      trustedHeader: trustedAt(1),
    })
    void rig.follow(FROM)
    await rig.reached(SIGNED_TIP)
    expectWhole(rig, FIRST)
    expect(rig.refusals(0)).toEqual([
      expect.stringMatching(/block 10 could not be verified: No light block after height \d+/),
    ])
  })

  it('waits with the reason if no endpoint has the trusted hash', async () => {
    const rig = await startVerifiedRig(CHAIN, [signedNode(CHAIN)], {
      trustedHeader: { height: 1n, hash: ANY_HASH },
    })
    void rig.follow(FROM)
    const reasons = () => rig.health.readiness().reasons.join('\n')
    const refusal = new RegExp(`The header of height 1 does not have the trusted hash ${ANY_HASH}`)
    await waitUntil(() => refusal.test(reasons()), 'the reason')
    expect(rig.delivered).toEqual([])
  })

  it('does not begin after its first height, or at a height that no endpoint has', async () => {
    const late = await startVerifiedRig(CHAIN, [signedNode(CHAIN)], {
      trustedHeader: trustedAt(11),
    })
    await expect(late.follow(FROM)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('height 11 is after the first height, 10'),
    })
    const pruned = await startVerifiedRig(CHAIN, [signedNode(CHAIN)], {
      trustedHeader: trustedAt(1),
      prepare: ([node]) => node?.fault('pruned heights', { height: 5 }),
    })
    await expect(pruned.follow(FROM)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('no endpoint has the block of height 1 any more'),
    })
  })

  it('is optional: without it, the validators of the first block are trusted with a warning', async () => {
    const rig = await startVerifiedRig(CHAIN, [signedNode(CHAIN)])
    void rig.follow(FROM)
    await rig.reached(SIGNED_TIP)
    const warnings = rig.lines.filter(
      ({ msg }) => msg === 'trusts the validators of the first block without a check',
    )
    expect(warnings).toEqual([expect.objectContaining({ height: FIRST })])
  })
})
