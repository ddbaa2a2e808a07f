// Tests the quorum of a vote on a chain that computes it: each tally changes the quorum of the next one.
import { expect, it } from 'vitest'
import { type Answer, known, unavailable, valueOrNull } from '../../../../ingest/chain/answer.ts'
import type { StateAt } from '../../../../ingest/chain/state-at.ts'
import type { GovParams } from '../../../../ingest/contract/facts.ts'
import { deriveFacts } from '../../../../ingest/derive/derive.ts'
import type { PlannedFact } from '../../../../ingest/heights/plan.ts'
import {
  createStateAtTally,
  type EndedFact,
  findVariantByEvents,
} from '../../../../ingest/rounds/state-at-tally.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { endEvent } from '../../../support/simulator/gov-events.ts'

const PARAMS: Partial<GovParams> = {
  quorum: '0.25',
  threshold: '0.667',
  minDeposit: [{ denom: 'uatone', amount: '512' }],
}

/** What the quorum of a tally is read from. */
const createState = (params: Partial<GovParams>, computes: Answer<boolean>) =>
  ({
    height: 5,
    proposal: async () => unavailable('not used here'),
    rule: async () => known({ name: 'gov' }),
    params: async () => known(params),
    computesQuorum: async () => computes,
  }) as unknown as StateAt

const readQuorums = async (after: Partial<GovParams>, computes: Answer<boolean>) => {
  const block = createBlock(5, {
    end: [endEvent('1', 'proposal_passed'), endEvent('2', 'proposal_rejected')],
  })
  const facts = deriveFacts(block).map((fact) => ({ fact, round: 1 }) as PlannedFact)
  const states = {
    node: createMemoryChain(),
    plan: { block, facts },
    before: createState(PARAMS, computes),
    after: createState({ ...PARAMS, ...after }, computes),
  }
  const readOne = async (fact: EndedFact) => {
    const variant = await findVariantByEvents(states, fact)
    const params = await createStateAtTally(states, fact, variant).params()
    return valueOrNull<GovParams>(params)?.quorum
  }
  return await Promise.all(facts.map(({ fact }) => readOne(fact as EndedFact)))
}

it.each([{ quorum: '0.24' }, { quorum: '0.31', minDeposit: [{ denom: 'uatone', amount: '530' }] }])(
  'is that of the height before for the first tally of a block, and unknown for the next: %j',
  async (after) => {
    expect(await readQuorums(after, known(true))).toEqual(['0.25', null])
  },
)

it.each([known(false), unavailable('pruned')])(
  'is that of the height if an upgrade changed a parameter: %j',
  async (computes) => {
    expect(await readQuorums({ quorum: '0.24' }, computes)).toEqual(['0.24', '0.24'])
    expect(await readQuorums({ quorum: '0.24', threshold: '0.5' }, known(true))).toEqual([
      '0.24',
      '0.24',
    ])
  },
)
