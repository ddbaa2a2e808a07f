// Tests the first height of an empty log.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { findStartHeight, type StartSetting } from '../../../../ingest/begin/start-height.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { recordingLogger, silentLogger } from '../../../support/process/log-lines.ts'
import type { ChainState } from '../../../support/simulator/state/chain-state.ts'

const createChain = ({ heights = 40, firstHeight = 1 } = {}, change: Partial<ChainState> = {}) => {
  const chain = createMemoryChain({ firstHeight })
  for (let count = 0; count < heights; count++) {
    chain.add({}, (state) => void Object.assign(state, change))
  }
  return chain
}
const findStart = (chain: ReturnType<typeof createChain>, setting: StartSetting) =>
  findStartHeight(chain, setting, silentLogger())

describe('an empty log starts', () => {
  it('at the first block with the setting earliest', async () => {
    expect(await findStart(createChain(), 'earliest')).toBe(1)
    expect(await findStart(createChain({ firstHeight: 500 }), 'earliest')).toBe(500)
  })

  it('at the tip of a node that keeps only two states', async () => {
    const chain = createChain()
    chain.prunedBelow = 39
    expect(await findStart(chain, 'tip')).toBe(40)
  })

  it.each<[string, Partial<ChainState>]>([
    ['x/staking', { lacksStaking: true }],
    ['x/gov', { govPackage: null }],
    ['both', { lacksStaking: true, govPackage: null }],
  ])('at the configured height of a chain without %s', async (_, change) => {
    const chain = createChain({}, change)
    expect(await findStart(chain, 'earliest')).toBe(1)
    expect(await findStart(chain, 17)).toBe(17)
    chain.prunedBelow = 25
    expect(await findStart(chain, 10)).toBe(33)
  })

  it('at the tip or a height if that is configured', async () => {
    expect(await findStart(createChain(), 'tip')).toBe(40)
    expect(await findStart(createChain(), 17)).toBe(17)
  })

  it('never before the first block', async () => {
    expect(await findStart(createChain({ firstHeight: 500 }), 3)).toBe(500)
  })

  it.each<[StartSetting]>([['earliest'], [10]])(
    'in the middle of the few states that a node keeps, with a warning: %s',
    async (setting) => {
      const chain = createChain()
      chain.prunedBelow = 25
      const { logger, lines } = recordingLogger()
      expect(await findStartHeight(chain, setting, logger)).toBe(33)
      expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
        { msg: 'raised the start height to the first one that the node has', start: 33 },
      ])
    },
  )

  it('at the second block of a short chain whose node has no results of the first one', async () => {
    const chain = createChain()
    const block: typeof chain.block = async (height) => {
      if (height === 1) throw new AppError('HEIGHT_UNAVAILABLE', 'could not find results')
      return await chain.block(height)
    }
    expect(await findStart({ ...chain, block }, 'earliest')).toBe(2)
  })

  it('never after the tip', async () => {
    await expect(findStart(createChain(), 41)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
