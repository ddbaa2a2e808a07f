// Tests ingest of a chain with a staking module of its own: proposals, votes and tallies of the node are there, and no pools.
import { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { describe, expect, it } from 'vitest'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { end, finalReadings, liveReadings, start } from '../../../support/chain/vote-run.ts'
import { foldHeights, toFoldRecords } from '../../../support/fold/fold-heights.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { voteTx } from '../../../support/simulator/gov-events.ts'

const QUIET = 20
/** Blocks of six seconds. */
const TWO_MINUTES = 20
const counts = { yes: '75', no: '60' }

const createChain = () => {
  const chain = createMemoryChain()
  const [sketch, change] = start()
  chain.add(sketch, (state) => {
    change?.(state)
    state.lacksStaking = true
  })
  chain.add({ txs: [voteTx('1', 'alice'), voteTx('1', 'bob', 3)] })
  return chain
}

const reportedTally = (yesCount: string): TallyResult =>
  TallyResult.fromPartial({ yesCount, abstainCount: '0', noCount: '2', noWithVetoCount: '0' })

const MESSAGE = /no x\/staking/

describe('ingest of a chain without x/staking', () => {
  it.each(['earliest', 'tip'])('has proposals, votes and the final tally: %s', async (setting) => {
    const chain = createChain()
    const log = openMemoryLog()
    const { logger, lines } = recordingLogger()
    const options = { env: { START_HEIGHT: setting }, logger }
    await ingestToTip(chain, log, options)
    const [sketch, change] = end(counts)
    chain.add(sketch, change)
    const events = await ingestToTip(chain, log, options)
    const from = setting === 'earliest' ? 1 : 2
    expect(events[0]?.height).toBe(from)
    const tables = foldHeights([toFoldRecords(events, 0n)])
    expect(tables.final('tallies').at(-1)).toMatchObject({
      proposal_id: '1',
      final: true,
      ...counts,
    })
    expect(
      tables
        .final('ballots')
        .map(({ voter }) => voter)
        .sort(),
    ).toEqual([account('alice'), account('bob')].sort())
    expect(finalReadings(events)[0]?.data).toMatchObject({
      rule: 'own',
      complete: false,
      incompleteReason: expect.stringContaining('pools'),
      ballots: { length: 2 },
    })
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
    // Once for each start of the process.
    expect(lines.filter(({ msg }) => MESSAGE.test(msg))).toHaveLength(2)
    const { limitations } = ofType(events, 'rollcall.block.indexed.v1').at(-1)!.data
    expect(limitations).toContainEqual(expect.objectContaining({ kind: 'no_staking', since: from }))
  })

  it('serves the live tally that the node reports, which is asked for every two minutes', async () => {
    const chain = createChain()
    const { logger, lines } = recordingLogger()
    for (const yes of ['7', '8']) {
      for (let count = 0; count < TWO_MINUTES; count++) {
        chain.add({}, (state) => {
          state.liveTallies = new Map([['1', reportedTally(yes)]])
        })
      }
    }
    const events = await ingestToTip(chain, openMemoryLog(), { logger, isAtTip: true })
    const readings = liveReadings(events).flatMap(({ data }) => (data.nodeTally ? [data] : []))
    expect(readings).toMatchObject([
      { nodeTally: { yes: '7', no: '2' }, rule: 'own' },
      { nodeTally: { yes: '8', no: '2' }, rule: 'own' },
    ])
    expect(readings.every(({ agrees }) => agrees === undefined)).toBe(true)
    expect(chain.queries.filter(({ path }) => path.endsWith('/TallyResult'))).toHaveLength(2)
    const tables = foldHeights([toFoldRecords(events, 0n)])
    expect(tables.final('tallies').at(-1)).toMatchObject({
      proposal_id: '1',
      final: false,
      yes: '8',
      no: '2',
      rule: 'own',
      reported: true,
    })
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
    const { limitations } = ofType(events, 'rollcall.block.indexed.v1').at(-1)!.data
    expect(limitations).toMatchObject([{ kind: 'no_staking' }, { kind: 'tally_reported' }])
  })

  it('does not ask for pools and stake again at heights without events', async () => {
    const chain = createChain()
    const log = openMemoryLog()
    await ingestToTip(chain, log)
    const asked = () => chain.queries.filter(({ path }) => path.includes('.staking.')).length
    const before = asked()
    for (let count = 0; count < QUIET; count++) chain.add()
    await ingestToTip(chain, log)
    expect(asked() - before).toBeLessThan(QUIET)
  })
})
