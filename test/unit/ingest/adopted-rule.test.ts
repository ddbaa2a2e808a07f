// Tests a rule that was found by comparison: it stays after the vote and after restarts.
import { describe, expect, it } from 'vitest'
import { endEvent, submitTx, voteTx } from '../../../infra/app/chain/gov-events.ts'
import { proposalAt } from '../../../infra/app/chain/state/chain-state.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import {
  addQuiet,
  createVote,
  ingested,
  nodeCounts,
  PERIOD,
  reports,
} from '../../support/chain/compared-vote.ts'
import { ingestToTip, ofType, readRecordTexts } from '../../support/chain/ingest-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'

/** No rule fits at first, then `no_inheritance`; it stays for the next proposal, although none is open in between. */
const createStory = () => {
  const chain = createVote((state) => {
    state.countsBy = 'no_inheritance'
    state.liveTallies = new Map([['1', nodeCounts('7')]])
  })
  addQuiet(chain, 2 * PERIOD)
  addQuiet(chain, PERIOD, reports())
  chain.add({ end: [endEvent('1', 'proposal_passed')] }, (state) => {
    const finalTallyResult = nodeCounts('0', '75')
    state.proposals.set('1', { ...state.proposals.get('1')!, status: 3, finalTallyResult })
  })
  addQuiet(chain, PERIOD)
  const height = chain.tip + 1
  chain.add({ txs: [submitTx('2')] }, (state) => {
    state.proposals.set('2', proposalAt('2', height, 2))
  })
  chain.add({ txs: [voteTx('2', 'one'), voteTx('2', 'alice', 3)] })
  addQuiet(chain, PERIOD)
  return chain
}

describe('an adopted rule', () => {
  it('stays after the vote, counts at its close, and is that of the next proposals', async () => {
    const { events, observed, rules, alerts } = await ingested(createStory())
    expect(observed.map(({ data }) => `${data.proposalId} ${data.rule} ${data.agrees}`)).toEqual([
      '1 gov false',
      '1 no_inheritance true',
      '2 no_inheritance true',
    ])
    expect(rules.map(([, strategy]) => strategy)).toEqual([
      'inherit',
      'no_inheritance',
      'no_inheritance',
    ])
    const [evidence] = ofType(events, 'rollcall.tally.evidence.v1')
    expect(evidence?.data).toMatchObject({ strategy: 'no_inheritance', complete: true })
    expect(alerts.map(({ msg }) => msg)).toEqual([
      'the tally of the node differs from the recomputed one',
    ])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'is the same after a restart at append %i',
    async (append) => {
      const config = { maxBatchHeights: 1 }
      const chain = createStory()
      const undisturbed = openMemoryLog()
      await ingestToTip(chain, undisturbed, { config })
      const storage = createMemoryLogStorage()
      const inner = openMemoryLog(storage)
      let left = append
      const killed = {
        ...inner,
        append: async (...entries: Parameters<typeof inner.append>) => {
          if (left-- === 0) throw new AppError('LOG_FENCED', 'killed')
          return await inner.append(...entries)
        },
      }
      await expect(ingestToTip(chain, killed, { config })).rejects.toThrow('killed')
      const resumed = openMemoryLog(storage)
      await ingestToTip(chain, resumed, { config })
      expect(await readRecordTexts(resumed)).toEqual(await readRecordTexts(undisturbed))
    },
  )
})
