// Tests of the missed votes in the record of one pool, with a real ClickHouse.
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { PoolRecordPage } from '../../api/schemas/pool.ts'
import { useListsRig } from '../support/api/lists-rig.ts'
import { IDLE } from '../support/api/lists-story.ts'

const setup = useListsRig()

// biome-ignore lint/suspicious/noExplicitAny: items of a list
type Item = any

describe('the votes of one pool', () => {
  it('include missed votes, with the state of the pool as of the tally', async () => {
    const { get } = await setup()
    const list = await get(`/api/pools/${IDLE}/votes`)
    expect(Compile(PoolRecordPage).Errors(list)).toEqual([])
    const missed = list.items.slice(1)
    expect(missed.map((item: Item) => item.proposalId)).toEqual(['7', '6', '5', '4', '3', '2', '1'])
    for (const item of missed as Item[]) {
      expect(item).toMatchObject({
        vote: null,
        missed: true,
        rank: null,
        pool: { operatorAddress: IDLE, moniker: 'as of the tally', status: 'bonded' },
        votingPower: '1900',
        bondedTokens: '1900',
        delegators: { ballots: 0, votingPower: '0' },
      })
    }
  })
})
