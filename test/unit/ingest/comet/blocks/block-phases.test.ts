// Tests which block events come after the transactions if a node joins both lists.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import type { RpcForm } from '../../../../../infra/app/chain/rpc/forms.ts'
import { PhaseSplit } from '../../../../../ingest/comet/blocks/block-phases.ts'
import { decodeBlock } from '../../../../../ingest/comet/blocks/decode-block.ts'
import type { RpcBlockResults } from '../../../../../ingest/comet/transport/wire.ts'
import { type BlockContent, createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { sha256 } from '../../../../support/simulator/blocks.ts'
import {
  NODE_VERSIONS,
  toBlockJson,
  toBlockResultsJson,
} from '../../../../support/simulator/nodes/block-json.ts'

const event = (type: string, attributes: Record<string, string> = {}) => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
})
const gov = (prefix: string) => toBech32(prefix, Buffer.from(sha256('gov'), 'hex').subarray(0, 20))

const split = (...events: ReturnType<typeof event>[]) => {
  const phases = new PhaseSplit()
  const seen = events.map((each) => phases.add(each))
  const begin: string[] = new Array(phases.beginCount)
  const end: string[] = new Array(phases.endCount)
  for (const [at, { type }] of events.entries()) {
    const { phase, index } = phases.locate(seen[at]!)
    if (phase === 'begin') begin[index] = type
    else end[index] = type
  }
  return [begin, end]
}

describe('block events without a mode', () => {
  it.each([
    event('active_proposal', { proposal_id: '1', proposal_result: 'proposal_rejected' }),
    event('inactive_proposal', { proposal_id: '2', proposal_result: 'proposal_dropped' }),
    event('complete_unbonding', { amount: '5stake' }),
    event('complete_redelegation', { amount: '5stake' }),
    event('burn', { burner: gov('kava'), amount: '10stake' }),
    event('coin_spent', { spender: gov('sei'), amount: '10stake' }),
    event('transfer', { recipient: 'x', sender: gov('lava@'), amount: '10stake' }),
  ])('belong to the end block from the first event that only an end block has: $type', (first) => {
    expect(split(event('mint'), event('transfer'), first, event('mint'))).toEqual([
      ['mint', 'transfer'],
      [first.type, 'mint'],
    ])
  })

  it('belong to the end block if a passed proposal’s messages caused them', () => {
    const refund = event('coin_spent', { spender: gov('cosmos'), amount: '10stake' })
    const close = event('active_proposal', { proposal_id: '1' })
    expect(split(event('mint'), refund, event('proposal_vote'), close)).toEqual([
      ['mint'],
      ['coin_spent', 'proposal_vote', 'active_proposal'],
    ])
  })

  it('belong to the begin block if no event is of an end block', () => {
    const others = event('coin_spent', { spender: toBech32('sei', new Uint8Array(20)) })
    const received = event('transfer', { recipient: gov('sei'), sender: 'sei1x' })
    expect(split(event('mint'), others, received)).toEqual([['mint', 'coin_spent', 'transfer'], []])
    expect(split()).toEqual([[], []])
  })
})

describe('block events with a mode', () => {
  it('are split by it alone: an event before BeginBlock has none', () => {
    expect(
      split(
        event('complete_unbonding'),
        event('coin_spent', { spender: gov('cosmos'), mode: 'BeginBlock' }),
        event('mint', { mode: 'EndBlock' }),
      ),
    ).toEqual([['complete_unbonding', 'coin_spent'], ['mint']])
  })

  it('are those where the last attribute is a mode of the SDK', () => {
    expect(
      split(event('x', { mode: 'EndBlock', other: '' }), event('y', { mode: 'fast' })),
    ).toEqual([['x', 'y'], []])
  })
})

const decodeOne = (sketch: BlockContent, form: RpcForm) => {
  const chain = createBlockChain({ blocks: [sketch] })
  const results = toBlockResultsJson(chain, 1, form) as RpcBlockResults
  const context = { chainId: chain.chainId, height: 1, nodeVersion: NODE_VERSIONS[form] }
  return decodeBlock(toBlockJson(chain, 1), results, context).events
}

describe('a block of a node that joins both lists', () => {
  it.each(['sei', '0.38'] as const)('has a vote before the close on %s', (form) => {
    const events = decodeOne(
      {
        unmarked: true,
        begin: [{ type: 'mint', attributes: [['amount', '5']] }],
        txs: [{ events: [{ type: 'proposal_vote', attributes: [['proposal_id', '7']] }] }],
        end: [
          { type: 'active_proposal', attributes: [['proposal_id', '7']] },
          { type: 'update_pool', attributes: [] },
        ],
      },
      form,
    )
    expect(events.map(({ type, phase }) => [type, phase])).toEqual([
      ['mint', 'begin'],
      ['proposal_vote', 'tx'],
      ['active_proposal', 'end'],
      ['update_pool', 'end'],
    ])
  })

  it('is decoded from base64 if it has nothing but unbondings', () => {
    const end = [{ type: 'complete_unbonding', attributes: [['amount', '5stake']] as const }]
    expect(decodeOne({ end }, 'sei')).toMatchObject([
      { phase: 'end', attributes: [{ key: 'amount', value: '5stake' }] },
    ])
  })
})
