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
import { sha256 } from '../../../../support/simulator/blocks.ts'

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

describe('a block of any version', () => {
  it.each([
    ['comet-0.34', '1400', 1_400_001],
    ['comet-0.37', '1400', 1_400_002],
    ['comet-0.38', '7768', 1_400_003],
    ['comet-0.39', '7768', 1_400_004],
    ['comet-1.0', '1400', 1_400_005],
    ['sei', '42', 1_400_006],
  ])('has its vote and its close, with the IDs of the chain: %s', (name, proposalId, height) => {
    const fixture = load(name)
    const { chainId, events, txs, ...block } = decode(fixture)
    expect(block).toMatchObject({
      height,
      time: '2026-03-04T05:06:07.123456789Z',
      hash: sha256(`${chainId}${height}`),
      previousHash: sha256(`${chainId}${height - 1}`),
    })
    const vote = events.find(({ type }) => type === 'proposal_vote')
    expect(vote).toMatchObject({ phase: 'tx', txIndex: 0 })
    expect(findValues(vote, 'proposal_id')).toEqual([proposalId])
    expect(findValues(vote, 'option')?.[0]).toContain('1.000000000000000000')
    const closed = events.at(-1)
    expect(closed).toMatchObject({ type: 'active_proposal', phase: 'end', txIndex: null })
    expect(findValues(closed, 'proposal_id')).toEqual([proposalId])
    expect(findValues(closed, 'proposal_result')).toEqual(['proposal_passed'])
    expect(events.map(({ ordinal }) => ordinal)).toEqual(events.map((_, index) => index + 1))
    expect(new Set(events.map(({ phase }) => phase))).toEqual(new Set(['begin', 'tx', 'end']))
    const raw = fixture.block.block?.data?.txs?.map((tx) => Buffer.from(tx ?? '', 'base64')) ?? []
    expect(txs.map(({ code, hash }) => [code, hash])).toEqual([
      [0, sha256(raw[0] ?? '')],
      [11, sha256(raw[1] ?? '')],
    ])
  })
})

describe('undocumented responses of real chains', () => {
  it.each(['', null])('have an empty transaction, which a proposer can include: %j', (empty) => {
    const fixture = load('comet-0.38')
    fixture.block.block!.data!.txs![0] = empty
    expect(decode(fixture).txs[0]).toMatchObject({ hash: sha256(Buffer.alloc(0)), code: 0 })
  })

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
  it.each([
    ['comet-0.37', '0.34.29'],
    ['comet-0.37', ''],
    ['comet-0.34', '1.0.0'],
    ['comet-0.34', ''],
  ])('is read from %s although the node reports the version %j', (name, nodeVersion) => {
    const { events } = decode({ ...load(name), nodeVersion })
    expect(findValues(events.at(-1), 'proposal_id')).toEqual(['1400'])
  })

  it('is not read from keys that a contract invented', () => {
    const fixture = load('comet-0.37')
    fixture.block_results.begin_block_events = [
      { type: 'wasm-x', attributes: [{ key: 'cHJvcG9zYWxfaWQ=', value: 'MTQwMA==' }] },
    ]
    expect(decode(fixture).events[0]?.attributes[0]?.key).toBe('cHJvcG9zYWxfaWQ=')
  })

  it('follows the version of the node if no key of a block is known', () => {
    const firstWith = (nodeVersion: string) => {
      const fixture = load('comet-0.34')
      const attributes = [{ key: 'bm90ZQ==', value: 'MTQwMA==' }]
      fixture.block_results.begin_block_events = [{ type: 'x', attributes }]
      fixture.block_results.end_block_events = null
      for (const result of fixture.block_results.txs_results ?? []) result.events = null
      return decode({ ...fixture, nodeVersion }).events[0]?.attributes[0]
    }
    expect(firstWith('v0.33.1')).toEqual({ key: 'note', value: '1400' })
    expect(firstWith('0.37.15')).toEqual({ key: 'bm90ZQ==', value: 'MTQwMA==' })
  })
})

describe('responses that are refused as invalid', () => {
  const broken: Record<string, (fixture: Fixture) => void> = {
    'fewer results than txs': ({ block_results }) => block_results.txs_results?.pop(),
    'no header': ({ block }) => (block.block!.header = null),
    'an invalid hash': ({ block }) => (block.block_id!.hash = 'abc'),
    'an invalid height': ({ block }) => (block.block!.header!.height = '12x'),
    'events that are not a list': ({ block_results }) =>
      (block_results.finalize_block_events = 'x' as unknown as RpcEvent[]),
    'attributes that are not a list': ({ block_results }) =>
      (block_results.finalize_block_events = [{ attributes: 'x' as unknown as [] }]),
    'events of which none has a type': ({ block_results }) => {
      for (const result of block_results.txs_results!) result.events = null
      block_results.finalize_block_events = [{ type: '', attributes: [] }, { attributes: null }]
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

  it('a status without chain id or height', () => {
    const sync_info = { latest_block_height: '5' }
    expect(() => decodeStatus({ sync_info })).toThrow('node_info.network')
    expect(() => decodeStatus({ node_info: { network: 'x' } })).toThrow('latest_block_height')
  })
})
