// Tests ingest of a chain without x/gov: said once, kept in the log, and ended by an upgrade that adds it.
import { describe, expect, it } from 'vitest'
import { ingestToTip, ofType, startOn } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'
import { timeAt } from '../../../support/simulator/blocks.ts'
import { submitTx } from '../../../support/simulator/gov-events.ts'
import { proposalAt } from '../../../support/simulator/state/chain-state.ts'

const createWithout = (): MemoryChain => {
  const chain = createMemoryChain()
  chain.add({}, (state) => {
    state.govPackage = null
  })
  return chain
}

const HOUR_LATER = timeAt(1).replace('T00', 'T02')

const readLimitations = (events: Awaited<ReturnType<typeof ingestToTip>>) =>
  ofType(events, 'rollcall.block.indexed.v1').map(({ data }) =>
    (data.limitations ?? []).map(({ kind, since }) => `${kind} ${since}`),
  )

const MESSAGE = /no x\/gov/
const warningsIn = (lines: readonly { level: string; msg: string }[]) =>
  lines.filter(({ level, msg }) => level === 'warn' && MESSAGE.test(msg))

describe('ingest of a chain without x/gov', () => {
  it('continues, says so once at the start, and marks each height', async () => {
    const chain = createWithout()
    chain.add()
    chain.add()
    const { logger, lines } = recordingLogger()
    const log = openMemoryLog()
    const events = await ingestToTip(chain, log, { logger })
    expect(new Set(readLimitations(events).flat())).toEqual(new Set(['no_gov 1']))
    expect(warningsIn(lines)).toHaveLength(1)
    expect(warningsIn(lines)[0]).toHaveProperty('remedy')
    const again = recordingLogger()
    chain.add()
    const resumed = await ingestToTip(chain, log, { logger: again.logger })
    expect(readLimitations(resumed).at(-1)).toEqual(['no_gov 1'])
    expect(warningsIn(again.lines)).toHaveLength(1)
  })

  it('is ready, with the reason', async () => {
    const chain = createWithout()
    const log = openMemoryLog()
    await ingestToTip(chain, log)
    const ingest = await startOn(chain, log)
    expect(ingest.readiness()).toMatchObject({
      ready: true,
      reasons: [expect.stringMatching(MESSAGE)],
    })
    await ingest.close()
  })

  it('finds x/gov within an hour of block time after an upgrade', async () => {
    const chain = createWithout()
    chain.add({}, (state) => {
      state.govPackage = 'cosmos.gov'
    })
    chain.add({ time: HOUR_LATER })
    const { logger, lines } = recordingLogger()
    const events = await ingestToTip(chain, openMemoryLog(), { logger })
    expect(readLimitations(events).at(-1)).toEqual([])
    expect(lines.map(({ msg }) => msg)).toContain('a limitation of the chain has ended')
  })

  it('finds x/gov with the first proposal', async () => {
    const chain = createWithout()
    chain.add({ txs: [submitTx('1')] }, (state) => {
      state.govPackage = 'cosmos.gov'
      state.proposals.set('1', proposalAt('1', 2))
    })
    const events = await ingestToTip(chain, openMemoryLog())
    expect(readLimitations(events).at(-1)).toEqual([])
  })

  it('adds nothing to the log of a chain with x/gov', async () => {
    const chain = createMemoryChain()
    chain.add()
    chain.add({ time: HOUR_LATER })
    const events = await ingestToTip(chain, openMemoryLog())
    for (const { data } of ofType(events, 'rollcall.block.indexed.v1')) {
      expect(data).not.toHaveProperty('limitations')
    }
  })
})
