// Tests that a log that begins at the tip gets the votes before it: with the next heights, once, across restarts and kills.
import { expect, it } from 'vitest'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { addAll, begin, close } from '../../../support/chain/history-run.ts'
import { ingestToTip, ingestWhileGrowing, ofType } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { finalReadings, liveReadings, type Step } from '../../../support/chain/vote-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { voteTx } from '../../../support/simulator/gov-events.ts'

const COUNTS = { yes: '75', no: '0', noWithVeto: '490' }

const vote = (id: string, from: number): Step[] => [
  begin(id, { from, until: from + 3 }),
  [{ txs: [voteTx(id, 'alice'), voteTx(id, 'one', 4)] }],
  [{}],
  close(id, COUNTS),
]

/** Three votes that ended, and one that is open. */
const createChain = (): MemoryChain => {
  const steps = [[{}], ...vote('1', 2), ...vote('2', 6), ...vote('3', 10)] as Step[]
  return addAll(createMemoryChain(), [...steps, begin('4', { from: 14, until: 99 }), [{}]])
}

const fromTip = (chain: MemoryChain) => ({ START_HEIGHT: `${chain.tip}`, HISTORY: 'closes' })

const reconstructedIds = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.vote.reconstructed.v1').map(({ data }) => data.proposalId)

const hasAll = (events: readonly GovernanceEvent[]) => reconstructedIds(events).length === 3

const readingsIn = (events: readonly GovernanceEvent[]) =>
  finalReadings(events)
    .map(({ data }) => data)
    .toSorted((one, other) => Number(one.proposalId) - Number(other.proposalId))

it('has the final reading of every vote before the tip, as if it had been indexed live', async () => {
  const chain = createChain()
  const live = await ingestToTip(chain, openMemoryLog())
  const events = await ingestWhileGrowing(chain, {
    env: fromTip(chain),
    holds: hasAll,
  })
  expect(reconstructedIds(events)).toEqual(['3', '2', '1'])
  expect(readingsIn(events)).toEqual(readingsIn(live))
  const last = ofType(events, 'rollcall.history.progressed.v1').at(-1)
  expect(last?.data.done).toEqual([{ from: '1', to: '3', votes: false }])
  const member = ofType(events, 'rollcall.block.indexed.v1').at(-1)?.data.history
  expect(member).toEqual({ at: last?.height, total: 3, done: 3, unreachable: 0, reason: null })
})

it('is the same log without the events of history', async () => {
  const chain = createChain()
  const env = fromTip(chain)
  const events = await ingestWhileGrowing(chain, { env, holds: hasAll })
  const without = await ingestToTip(chain, openMemoryLog(), { env: { ...env, HISTORY: 'off' } })
  const isOther = ({ type, subject }: GovernanceEvent) =>
    type !== 'rollcall.block.indexed.v1' &&
    type !== 'rollcall.history.progressed.v1' &&
    !['proposals/1', 'proposals/2', 'proposals/3'].includes(subject ?? '')
  expect(events.filter(isOther)).toEqual(without.filter(isOther))
})

it('reads each vote once, wherever the log was cut off', async () => {
  const chain = createChain()
  const env = fromTip(chain)
  const storage = createMemoryLogStorage()
  await ingestWhileGrowing(chain, { storage, env, holds: hasAll })
  const whole = [...storage.records]
  const ends = whole.flatMap((record, at) =>
    Buffer.from(record.value).includes('block.indexed') ? [at + 1] : [],
  )
  for (const end of ends) {
    const cut = createMemoryLogStorage()
    cut.records = whole.slice(0, end)
    const events = await ingestWhileGrowing(chain, { storage: cut, env, holds: hasAll })
    expect(reconstructedIds(events).toSorted()).toEqual(['1', '2', '3'])
  }
})

it('finds when the votes on open proposals were cast, if votes are searched', async () => {
  const chain = createChain()
  addAll(chain, [
    [{ txs: [voteTx('4', 'alice'), voteTx('4', 'bob')] }],
    [{ txs: [voteTx('4', 'alice', 3)] }],
    [{}],
  ])
  const env = { ...fromTip(chain), HISTORY: 'votes' }
  const findDated = (events: readonly GovernanceEvent[]) =>
    liveReadings(events).find(
      ({ data }) => data.proposalId === '4' && data.ballots.some(({ cast }) => cast),
    )
  const events = await ingestWhileGrowing(chain, {
    env,
    holds: (read) => findDated(read) !== undefined,
  })
  const found = findDated(events)
  const heights = found?.data.ballots.map(({ voter, cast }) => [voter, cast?.height])
  expect(heights).toEqual([
    [account('alice'), 17],
    [account('bob'), 16],
  ])
  expect(found?.data.round).toBe(1)
})

it('counts the votes that the endpoint pruned, with the reason', async () => {
  const chain = createChain()
  chain.prunedBelow = 11
  const last = (events: readonly GovernanceEvent[]) =>
    ofType(events, 'rollcall.block.indexed.v1').at(-1)?.data.history
  const events = await ingestWhileGrowing(chain, {
    env: fromTip(chain),
    holds: (read) => last(read)?.unreachable === 2,
  })
  expect(reconstructedIds(events)).toEqual(['3'])
  expect(last(events)).toMatchObject({ total: 3, done: 1, unreachable: 2 })
  expect(last(events)?.reason).toMatch(/pruned/)
})
