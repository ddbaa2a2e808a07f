// Tests of the search for light blocks between a trusted header and a proof: its reads and its limits.
import { describe, expect, it } from 'vitest'
import { type LightBlock, readLightBlock } from '../../../../../infra/base/proof/light-block.ts'
import {
  findBetween,
  type ProofSource,
  verifyFromSource,
} from '../../../../../infra/base/proof/verify-from-source.ts'
import { computeHash, RECORDED } from '../../../../support/proof/recorded-proofs.ts'
import {
  LIGHT_CHAIN_ID,
  lightBlockJson,
  type Member,
} from '../../../../support/simulator/signatures.ts'

const LETTERS = [...'abcdefghijklmnop']
/** One of three validators is replaced every ten heights. */
const membersAt = (height: number): Member[] => {
  const first = Math.floor(height / 10)
  return LETTERS.slice(first, first + 3).map((name) => ({ name, power: 10 }))
}
const jsonAt = (height: number) =>
  lightBlockJson({ height, members: membersAt(height), next: membersAt(height + 1) })
const blockAt = (height: number): LightBlock => readLightBlock(jsonAt(height), LIGHT_CHAIN_ID)

/** The light blocks of all heights. `read` lists those that were read. */
const createSource = (jsonOf: (height: number) => object = jsonAt) => {
  const read: number[] = []
  const source: ProofSource = {
    proof: () => Promise.reject(new Error('there is no proof')),
    lightBlock: async (height) => {
      read.push(Number(height))
      return jsonOf(Number(height))
    },
    heightBetween: async (from, to) => (to - from > 1n ? (from + to) / 2n : null),
  }
  return { source, read }
}

const heights = (blocks: readonly LightBlock[]) => blocks.map(({ header }) => Number(header.height))

describe('the search for intermediate light blocks', () => {
  it('reads none if one hop is enough', async () => {
    const { source, read } = createSource()
    expect(await findBetween(source, blockAt(1), blockAt(11))).toEqual([])
    expect(read).toEqual([])
  })

  it('reads the one in the middle first, and halves only spans that are too long for a hop', async () => {
    const { source, read } = createSource()
    const found = await findBetween(source, blockAt(1), blockAt(41))
    expect(read).toEqual([21, 11, 31])
    expect(heights(found)).toEqual([11, 21, 31])
  })

  it('refuses invented blocks of a source after a few reads', async () => {
    const members = (height: number): Member[] => [{ name: `invented ${height}`, power: 1 }]
    const { source, read } = createSource((height) =>
      lightBlockJson({ height, members: members(height) }),
    )
    const target = readLightBlock(
      lightBlockJson({ height: 1_000_000, members: members(1_000_000) }),
      LIGHT_CHAIN_ID,
    )
    await expect(findBetween(source, blockAt(1), target)).rejects.toMatchObject({
      code: 'not_trusted',
      message: expect.stringContaining('No light block after height 1 is signed'),
    })
    expect(read.length).toBeLessThan(25)
  })

  it('refuses a block of another height or of another chain', async () => {
    const same = createSource(() => jsonAt(41))
    await expect(findBetween(same.source, blockAt(1), blockAt(41))).rejects.toThrow(
      'The light block of height 21 has a header of height 41.',
    )
    const other = createSource((height) =>
      lightBlockJson({ height, members: membersAt(height), chainId: 'other-1' }),
    )
    await expect(findBetween(other.source, blockAt(1), blockAt(41))).rejects.toMatchObject({
      code: 'wrong_chain',
    })
  })
})

describe('a proof from a source', () => {
  const [passed] = RECORDED.proposals
  const [first] = RECORDED.lightBlocks
  if (!passed || !first) throw new Error('the recording has no proposal')
  const target = Number(passed.proof.header.height)
  const setup = () => {
    const blocks = new Map(RECORDED.lightBlocks.map((json) => [Number(json.header.height), json]))
    const { source, read } = createSource((height) => {
      const json = blocks.get(height)
      if (!json) throw new Error(`there is no height ${height}`)
      return json
    })
    return { source: { ...source, proof: async () => passed.proof }, read }
  }
  const proposalId = BigInt(passed.id)

  it('is verified from an earlier header that the user trusts', async () => {
    const { source, read } = setup()
    const trusted = { height: 1n, hash: computeHash(first) }
    const { proposal, path } = await verifyFromSource(source, { proposalId, trusted })
    expect(proposal).toMatchObject({ id: passed.id, status: 'passed' })
    expect(heights(path)).toEqual([1, target])
    expect(read).toEqual([1])
  })

  it('needs no other light block if the user trusts its own header', async () => {
    const { source, read } = setup()
    const trusted = { height: BigInt(target), hash: computeHash(passed.proof).toLowerCase() }
    const { steps } = await verifyFromSource(source, { proposalId, trusted })
    expect(steps.at(-1)?.proves).toBe('This header is the one that you trust.')
    expect(read).toEqual([])
  })

  it('is refused from a later header before any other read, with the heights to use', async () => {
    const { source, read } = setup()
    const trusted = { height: BigInt(target + 1), hash: computeHash(first) }
    await expect(verifyFromSource(source, { proposalId, trusted })).rejects.toMatchObject({
      code: 'trusted_later',
      message: expect.stringContaining(`Trust the header of height ${target} or an earlier one.`),
    })
    expect(read).toEqual([])
  })

  it('is refused if the source has another header at the trusted height', async () => {
    const { source } = setup()
    const hash = 'ab'.repeat(32)
    const trusted = { height: 1n, hash }
    await expect(verifyFromSource(source, { proposalId, trusted })).rejects.toMatchObject({
      code: 'not_trusted',
      message: expect.stringContaining(
        `The header of height 1 does not have the trusted hash ${hash.toUpperCase()}.`,
      ),
    })
  })
})
