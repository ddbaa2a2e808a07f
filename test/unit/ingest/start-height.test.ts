// Tests the first height of an empty log.
import { describe, expect, it } from 'vitest'
import { findStartHeight, type StartSetting } from '../../../ingest/start-height.ts'
import { createGovChain, proposalAt } from '../../support/chain/gov-chain.ts'
import { recordingLogger, silentLogger } from '../../support/process/log-lines.ts'

const createChain = ({ heights = 40, firstHeight = 1, submittedAt = [] as number[] } = {}) => {
  const chain = createGovChain({ firstHeight })
  for (let count = 0; count < heights; count++) {
    const height = chain.tip + 1
    chain.add({}, (state) => {
      if (!submittedAt.includes(height)) return
      state.proposals.set(String(height), proposalAt(String(height), height, 1))
    })
  }
  return chain
}
const findStart = (chain: ReturnType<typeof createChain>, setting: StartSetting) =>
  findStartHeight(chain, setting, silentLogger())

describe('an empty log starts', () => {
  it('at the submit height of the oldest open proposal', async () => {
    expect(await findStart(createChain({ submittedAt: [12, 20] }), undefined)).toBe(12)
  })

  it.each([['1'], ['12']])('also if the node refuses proposal %s, and so each list', async (id) => {
    const chain = createChain({ submittedAt: [12, 20] })
    chain.add({}, (state) => {
      state.proposals.set('1', proposalAt('1', 1, 3))
      state.unregistered = new Set([id])
    })
    expect(await findStart(chain, undefined)).toBe(12)
  })

  it('at the tip if no proposal is open', async () => {
    expect(await findStart(createChain(), undefined)).toBe(40)
  })

  it('at the first block with the setting earliest', async () => {
    expect(await findStart(createChain(), 'earliest')).toBe(1)
    expect(await findStart(createChain({ firstHeight: 500 }), 'earliest')).toBe(500)
  })

  it('at the tip or a height if that is configured', async () => {
    expect(await findStart(createChain(), 'tip')).toBe(40)
    expect(await findStart(createChain(), 17)).toBe(17)
  })

  it('never before the first block', async () => {
    expect(await findStart(createChain({ firstHeight: 500 }), 3)).toBe(500)
  })

  it.each<[StartSetting]>([['earliest'], [10], [undefined]])(
    'in the middle of the few states that a node keeps, with a warning: %s',
    async (setting) => {
      const chain = createChain({ submittedAt: [12] })
      chain.prunedBelow = 25
      const { logger, lines } = recordingLogger()
      expect(await findStartHeight(chain, setting, logger)).toBe(33)
      expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
        { msg: 'raised the start height to the first one that the node has', start: 33 },
      ])
    },
  )

  it('never after the tip', async () => {
    await expect(findStart(createChain(), 41)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
