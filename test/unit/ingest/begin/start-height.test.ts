// Tests the first height of an empty log.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createReading } from '../../../../ingest/begin/reading.ts'
import { findStartHeight, type StartSetting } from '../../../../ingest/begin/start-height.ts'
import type { ChainReader } from '../../../../ingest/comet/endpoints/node.ts'
import { findLowestKept } from '../../../../ingest/comet/endpoints/window.ts'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { recordingLogger, silentLogger } from '../../../support/process/log-lines.ts'
import type { ChainState } from '../../../support/simulator/state/chain-state.ts'

const createChain = (change: Partial<ChainState> = {}) => {
  const chain = createMemoryChain()
  for (let count = 0; count < 40; count++) {
    chain.add({}, (state) => void Object.assign(state, change))
  }
  return chain
}
const beginning = (node: ChainReader, logger = silentLogger()) => {
  const clock = createFakeClock()
  const reading = createReading({ logger, clock }, { progress: () => undefined })
  return { node, logger, clock, reading, signal: new AbortController().signal }
}
const findStart = (chain: ReturnType<typeof createChain>, setting: StartSetting) =>
  findStartHeight(beginning(chain), setting)

describe('an empty log starts', () => {
  it('at the configured height of a chain without x/staking and x/gov', async () => {
    const chain = createChain({ lacksStaking: true, govPackage: null })
    expect(await findStart(chain, 'earliest')).toBe(1)
    expect(await findStart(chain, 17)).toBe(17)
    chain.prunedBelow = 25
    expect(await findStart(chain, 10)).toBe(33)
  })

  it.each<[StartSetting]>([['earliest'], [10]])(
    'in the middle of the few states that a node keeps, with a warning: %s',
    async (setting) => {
      const chain = createChain()
      chain.prunedBelow = 25
      const { logger, lines } = recordingLogger()
      expect(await findStartHeight(beginning(chain, logger), setting)).toBe(33)
      expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
        { msg: 'raised the start height to the first one that the node has', start: 33 },
      ])
    },
  )

  it('at the first height with block, results and state, where the results of the first ones are discarded', async () => {
    const chain = createChain()
    chain.prunedBelow = 20
    const block: ChainReader['block'] = async (height, options) => {
      if (height < 30) throw new AppError('HEIGHT_UNAVAILABLE', 'lowest height is 30')
      return await chain.block(height, options)
    }
    // Of the 11 heights that have all of it, half is left as room for pruning.
    expect(await findStartHeight(beginning({ ...chain, block }), 'earliest')).toBe(35)
    expect(await findStartHeight(beginning({ ...chain, block }), 25)).toBe(35)
  })

  it('again at the tip if the state was pruned while its snapshot was read', async () => {
    const chain = createChain()
    const { abciQuery } = chain
    chain.abciQuery = (request) => {
      if (request.path.endsWith('Query/Proposals')) chain.prunedBelow = 30
      return abciQuery(request)
    }
    const events = await ingestToTip(chain, openMemoryLog(), { env: { START_HEIGHT: '20' } })
    const [snapshot] = ofType(events, 'rollcall.chain.snapshot.v1')
    expect(snapshot?.data).toMatchObject({ stateHeight: 39, unavailable: [] })
  })
})

it('the first of 20,000,000 heights that a node keeps is found with at most 32 requests', async () => {
  for (const lowest of [2, 19_637_120, 20_000_000]) {
    let requests = 0
    const found = await findLowestKept({ from: 1, to: 20_000_000 }, async (height) => {
      requests++
      return height >= lowest
    })
    expect(found).toBe(lowest)
    expect(requests).toBeLessThanOrEqual(32)
  }
})
