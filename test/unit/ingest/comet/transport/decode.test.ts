// Tests that blocks of every CometBFT version, recorded in test/fixtures/comet, decode to the same blocks.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AbciEvent } from '../../../../../ingest/comet/blocks/block.ts'
import { decodeBlock, decodeResults } from '../../../../../ingest/comet/blocks/decode-block.ts'
import { EventCollector, findEncoding } from '../../../../../ingest/comet/blocks/event-collector.ts'
import {
  decodeStatus,
  type RpcBlock,
  type RpcBlockResults,
  type RpcEvent,
} from '../../../../../ingest/comet/transport/wire.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { sha256 } from '../../../../support/simulator/blocks.ts'
import {
  NODE_VERSIONS,
  RPC_FORMS,
  toBlockJson,
  toBlockResultsJson,
} from '../../../../support/simulator/nodes/block-json.ts'

type Fixture = { nodeVersion: string; block: RpcBlock; block_results: RpcBlockResults }

const load = (name: string): Fixture =>
  JSON.parse(
    readFileSync(new URL(`../../../../fixtures/comet/${name}.json`, import.meta.url), 'utf8'),
  ) as Fixture

const createCollector = (results: RpcBlockResults, nodeVersion: string): EventCollector =>
  new EventCollector(undefined, findEncoding(Buffer.from(JSON.stringify(results)), nodeVersion))

const decodeWith = (
  block: RpcBlock,
  results: RpcBlockResults,
  { chainId, height, nodeVersion }: { chainId: string; height: number; nodeVersion: string },
) => {
  const outcome = decodeResults(results, height, createCollector(results, nodeVersion))
  return decodeBlock(block, outcome, { chainId, height })
}

const decode = ({ block, block_results, nodeVersion }: Fixture) =>
  decodeWith(block, block_results, {
    chainId: block.block?.header?.chain_id ?? '',
    height: Number(block.block?.header?.height),
    nodeVersion,
  })

const findValues = (event: AbciEvent | undefined, key: string) =>
  event?.attributes.filter((attribute) => attribute.key === key).map(({ value }) => value)

const FIXTURES = [
  { name: 'comet-0.34', proposalId: '1400', height: 1400001 },
  { name: 'comet-0.37', proposalId: '1400', height: 1400002 },
  { name: 'comet-0.38', proposalId: '7768', height: 1400003 },
  { name: 'comet-0.39', proposalId: '7768', height: 1400004 },
  { name: 'comet-1.0', proposalId: '1400', height: 1400005 },
  { name: 'sei', proposalId: '42', height: 1400006 },
] as const

describe('a block of any version', () => {
  for (const { name, proposalId, height } of FIXTURES) {
    it(`${name}: has the vote in its tx and the close at the end, with the IDs of the chain`, () => {
      const block = decode(load(name))
      expect(block.height).toBe(height)
      expect(block.time).toBe('2026-03-04T05:06:07.123456789Z')
      expect(block.hash).toBe(sha256(`${block.chainId}${height}`))
      expect(block.previousHash).toBe(sha256(`${block.chainId}${height - 1}`))

      const vote = block.events.find(({ type }) => type === 'proposal_vote')
      expect(vote).toMatchObject({ phase: 'tx', txIndex: 0 })
      expect(findValues(vote, 'proposal_id')).toEqual([proposalId])
      expect(findValues(vote, 'option')?.[0]).toContain('1.000000000000000000')
      const closed = block.events.at(-1)
      expect(closed).toMatchObject({ type: 'active_proposal', phase: 'end', txIndex: null })
      expect(findValues(closed, 'proposal_id')).toEqual([proposalId])
      expect(findValues(closed, 'proposal_result')).toEqual(['proposal_passed'])
    })

    it(`${name}: keeps failed txs with their code, and hashes every tx`, () => {
      const fixture = load(name)
      const { txs } = decode(fixture)
      expect(txs.map(({ code }) => code)).toEqual([0, 11])
      const raw = fixture.block.block?.data?.txs?.map((tx) => Buffer.from(tx ?? '', 'base64')) ?? []
      expect(txs.map(({ hash }) => hash)).toEqual(raw.map(sha256))
      expect(txs.map(({ bytes }) => Buffer.from(bytes))).toEqual(raw)
    })

    it.each(['', null])(`${name}: accepts an empty tx, which a proposer can include`, (empty) => {
      const fixture = load(name)
      fixture.block.block!.data!.txs![0] = empty
      expect(decode(fixture).txs[0]).toMatchObject({ hash: sha256(Buffer.alloc(0)), code: 0 })
    })

    it(`${name}: numbers every event from 1: begin block, txs, end block`, () => {
      const { events } = decode(load(name))
      expect(events.map(({ ordinal }) => ordinal)).toEqual(events.map((_, index) => index + 1))
      const order = events.map(({ phase }) => ['begin', 'tx', 'end'].indexOf(phase))
      expect(order).toEqual(order.toSorted())
      expect(new Set(order).size).toBe(3)
      expect(events.map(({ txIndex }) => txIndex)).toContain(1)
    })
  }

  it('is the same block in every form of a simulated node', () => {
    const chain = createBlockChain({
      blocks: [
        {
          begin: [{ type: 'mint', attributes: [['amount', '5']] }],
          txs: [{ events: [{ type: 'proposal_vote', attributes: [['proposal_id', '1400']] }] }],
          end: [{ type: 'active_proposal', attributes: [['proposal_id', '7768']] }],
        },
      ],
    })
    for (const form of RPC_FORMS) {
      const results = toBlockResultsJson(chain, 1, form) as RpcBlockResults
      const block = decodeWith(toBlockJson(chain, 1), results, {
        chainId: chain.chainId,
        height: 1,
        nodeVersion: NODE_VERSIONS[form],
      })
      const shown = block.events.map(({ type, attributes: [first] }) => [type, first?.value])
      expect(shown).toEqual([
        ['mint', '5'],
        ['proposal_vote', '1400'],
        ['active_proposal', '7768'],
      ])
      expect(block.previousHash).toBe('')
    }
  })
})

describe('undocumented responses of real chains', () => {
  it('takes an event without type, an empty key, a null value and null attributes', () => {
    const { events, txs } = decode(load('dydx'))
    expect(txs).toEqual([])
    expect(events.map(({ type, phase }) => [type, phase])).toEqual([
      ['', 'begin'],
      ['', 'begin'],
      ['order_fills', 'begin'],
      ['indexer_events', 'end'],
    ])
    expect(events[1]?.attributes).toEqual([{ key: '', value: '' }])
    expect(events[2]?.attributes).toEqual([])
    expect(findValues(events[3], 'data')).toEqual(['CAE='])
  })

  it('has an empty text for an empty value of 0.34, which is null there', () => {
    const fixture = load('comet-0.34')
    fixture.block_results.end_block_events = [
      { type: 'submit_proposal', attributes: [{ key: 'cHJvcG9zYWxfbWVzc2FnZXM=', value: null }] },
    ]
    expect(decode(fixture).events.at(-1)?.attributes).toEqual([
      { key: 'proposal_messages', value: '' },
    ])
  })

  it('keeps repeated attributes of an event, in order', () => {
    const fixture = load('comet-0.38')
    const attributes = ['0', '1'].map((value) => ({ key: 'authz_msg_index', value }))
    fixture.block_results.txs_results![0]!.events = [{ type: 'proposal_vote', attributes }]
    const vote = decode(fixture).events.find(({ type }) => type === 'proposal_vote')
    expect(findValues(vote, 'authz_msg_index')).toEqual(['0', '1'])
  })

  it('has unmarked block events and BeginBlock first and EndBlock last, in any input order', () => {
    const fixture = load('comet-0.38')
    const event = (type: string, mode?: string): RpcEvent => ({
      type,
      attributes: mode ? [{ key: 'mode', value: mode }] : [],
    })
    fixture.block_results.txs_results!.forEach((result) => {
      result.events = [event('tx')]
    })
    fixture.block_results.finalize_block_events = [
      event('end', 'EndBlock'),
      event('unmarked'),
      event('begin', 'BeginBlock'),
      event('end again', 'EndBlock'),
    ]
    const types = decode(fixture).events.map(({ type }) => type)
    expect(types).toEqual(['unmarked', 'begin', 'tx', 'tx', 'end', 'end again'])
  })
})

describe('base64 or plain', () => {
  it.each(['0.34.29', 'v0.34.24-custom', ''])(
    'reads a 0.37 block as plain text although the node reports the version %j',
    (nodeVersion) => {
      const vote = decode({ ...load('comet-0.37'), nodeVersion }).events.find(
        ({ type }) => type === 'proposal_vote',
      )
      expect(findValues(vote, 'proposal_id')).toEqual(['1400'])
    },
  )

  it.each(['0.37.2', '1.0.0', ''])(
    'decodes a 0.34 block from base64 although the node reports the version %j',
    (nodeVersion) => {
      const block = decode({ ...load('comet-0.34'), nodeVersion })
      expect(findValues(block.events.at(-1), 'proposal_id')).toEqual(['1400'])
    },
  )

  const unknownOnly = (encoded: boolean, nodeVersion: string) => {
    const fixture = load('comet-0.34')
    const [key, value] = encoded ? ['bm90ZQ==', 'MTQwMA=='] : ['note', '1400']
    fixture.block_results.begin_block_events = [{ type: 'x', attributes: [{ key, value }] }]
    fixture.block_results.end_block_events = null
    for (const result of fixture.block_results.txs_results ?? []) result.events = null
    return decode({ ...fixture, nodeVersion }).events[0]?.attributes[0]
  }

  it('follows the version if no key of a block is known', () => {
    expect(unknownOnly(true, '0.34.29')).toEqual({ key: 'note', value: '1400' })
    expect(unknownOnly(true, 'v0.33.1')).toEqual({ key: 'note', value: '1400' })
    expect(unknownOnly(false, '0.37.15')).toEqual({ key: 'note', value: '1400' })
  })

  it('ignores keys that a contract invented', () => {
    const fixture = load('comet-0.37')
    fixture.block_results.begin_block_events = [
      { type: 'wasm-x', attributes: [{ key: 'cHJvcG9zYWxfaWQ=', value: 'MTQwMA==' }] },
    ]
    const { events } = decode(fixture)
    expect(events[0]?.attributes[0]?.key).toBe('cHJvcG9zYWxfaWQ=')
    expect(findValues(events.at(-1), 'proposal_id')).toEqual(['1400'])
  })
})

describe('responses that are refused as invalid', () => {
  const broken: Record<string, (fixture: Fixture) => void> = {
    'results of another height': ({ block_results }) => (block_results.height = '7'),
    'fewer results than txs': ({ block_results }) => block_results.txs_results?.pop(),
    'results without txs': ({ block }) => (block.block!.data!.txs = null),
    'no header': ({ block }) => (block.block!.header = null),
    'no block': ({ block }) => (block.block = null),
    'no time': ({ block }) => (block.block!.header!.time = ''),
    'an invalid hash': ({ block }) => (block.block_id!.hash = 'abc'),
    'no hash': ({ block }) => (block.block_id = null),
    'an invalid height': ({ block }) => (block.block!.header!.height = '12x'),
    'results without height': ({ block_results }) => (block_results.height = null),
    'events that are not a list': ({ block_results }) =>
      (block_results.finalize_block_events = 'x' as unknown as RpcEvent[]),
    'an event that is not an object': ({ block_results }) =>
      (block_results.finalize_block_events = ['x' as unknown as RpcEvent]),
    'attributes that are not a list': ({ block_results }) =>
      (block_results.finalize_block_events = [{ attributes: 'x' as unknown as [] }]),
    'events of which none has a type': ({ block_results }) => {
      for (const result of block_results.txs_results!) result.events = null
      block_results.finalize_block_events = [{ type: '', attributes: [] }, { attributes: null }]
    },
    'transactions with events of which none has a type': ({ block_results }) => {
      for (const result of block_results.txs_results!) result.events = [{ type: null }]
      block_results.finalize_block_events = null
    },
    'a null event': ({ block_results }) =>
      (block_results.finalize_block_events = [null as unknown as RpcEvent]),
  }
  for (const [what, breakIt] of Object.entries(broken)) {
    it(what, () => {
      const fixture = load('comet-0.38')
      const context = { chainId: 'fake-38', height: 1400003, nodeVersion: '0.38.19' }
      breakIt(fixture)
      expect(() => decodeWith(fixture.block, fixture.block_results, context)).toThrow(
        expect.objectContaining({ code: 'RPC_INVALID_RESPONSE', retryable: true }),
      )
    })
  }

  it('another block than the one asked for', () => {
    const { block, block_results } = load('comet-0.38')
    const context = { chainId: 'fake-38', height: 1400004 }
    const outcome = decodeResults(block_results, 1400003)
    expect(() => decodeBlock(block, outcome, context)).toThrow('asked for 1400004')
  })

  it('a block of another chain, as a mismatch of chains', () => {
    const { block, block_results } = load('comet-0.38')
    const context = { chainId: 'other', height: 1400003, nodeVersion: '' }
    expect(() => decodeWith(block, block_results, context)).toThrow(
      expect.objectContaining({ code: 'CHAIN_MISMATCH' }),
    )
  })

  it('a status without chain id or height', () => {
    const sync_info = { latest_block_height: '5' }
    expect(() => decodeStatus({ sync_info })).toThrow('node_info.network')
    expect(() => decodeStatus({ node_info: { network: 'x' } })).toThrow('latest_block_height')
    expect(decodeStatus({ node_info: { network: 'x' }, sync_info })).toMatchObject({
      chainId: 'x',
      latestHeight: 5,
      earliestHeight: 0,
      catchingUp: false,
    })
  })
})
