// Property tests of block results. A response gives the same block in one part and in parts, and events without a reader
// change no fact.
import { toBech32 } from '@cosmjs/encoding'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Block } from '../../../ingest/comet/blocks/block.ts'
import { decodeBlock, decodeResults } from '../../../ingest/comet/blocks/decode-block.ts'
import {
  EventCollector,
  type EventSelection,
  findEncoding,
} from '../../../ingest/comet/blocks/event-collector.ts'
import { collectInParts } from '../../../ingest/comet/blocks/fetch-block.ts'
import { isQuiet } from '../../../ingest/comet/blocks/quiet.ts'
import type { RpcBlock, RpcBlockResults } from '../../../ingest/comet/transport/wire.ts'
import { derive } from '../../../ingest/derive/derive.ts'
import { eventSelection } from '../../../ingest/derive/event-selection.ts'
import { stakeAfterTally } from '../../../ingest/derive/moved-stake.ts'
import { findMentions } from '../../../ingest/proposals/state-check.ts'
import { account, operator } from '../../support/simulator/addresses.ts'
import { sha256 } from '../../support/simulator/blocks.ts'

/** The account of x/gov, whose spending begins an end block without a mode. */
const govAccount = toBech32('cosmos', Buffer.from(sha256('gov'), 'hex').subarray(0, 20))
const aType = fc.constantFrom(
  'proposal_vote',
  'proposal_deposit',
  'submit_proposal',
  'active_proposal',
  'inactive_proposal',
  'cancel_proposal',
  'message',
  'message',
  'transfer',
  'delegate',
  'slash',
  'edit_validator',
  'coin_spent',
  'complete_unbonding',
  'wasm',
  'x',
  '',
)
const aKey = fc.constantFrom(
  'proposal_id',
  'option',
  'voter',
  'amount',
  'proposal_result',
  'voting_period_start',
  'module',
  'action',
  'sender',
  'validator',
  'msg_index',
  'mode',
  'spender',
  'a"],[{\\',
)
const aValue = fc.constantFrom(
  '1',
  '2',
  '5stake',
  '{"option":1,"weight":"1.0"}',
  'proposal_passed',
  'governance',
  'committee',
  '/cosmos.slashing.v1beta1.MsgUnjail',
  'EndBlock',
  'BeginBlock',
  govAccount,
  account('alice'),
  account('bob'),
  operator('one'),
  '',
  'ключ \\ " }],[',
)
const anAttribute = fc.oneof(
  { weight: 20, arbitrary: fc.record({ key: aKey, value: aValue, index: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constantFrom(null, { key: null, value: null }, {}) },
)
const withAttributes = (type: string, attributes: Record<string, string>) => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
})
const anyEvent = fc.record({
  type: aType,
  attributes: fc.oneof(
    { weight: 9, arbitrary: fc.array(anAttribute, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
})
/** Events as x/gov writes them, and those that follow them. */
const govEvent = fc.constantFrom(
  withAttributes('proposal_vote', { option: '{"option":1,"weight":"1.0"}', proposal_id: '1' }),
  withAttributes('proposal_deposit', { amount: '5stake', proposal_id: '1', msg_index: '0' }),
  withAttributes('submit_proposal', { proposal_id: '2' }),
  withAttributes('active_proposal', { proposal_id: '1', proposal_result: 'proposal_passed' }),
  withAttributes('message', { module: 'governance', sender: account('alice') }),
  withAttributes('message', { module: 'committee', sender: account('bob'), msg_index: '0' }),
)
const anEvent = fc.oneof(anyEvent, govEvent)
const events = fc.oneof(
  { weight: 9, arbitrary: fc.array(anEvent, { maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constant(null) },
)
const aTx = fc.oneof(
  { weight: 9, arbitrary: fc.record({ code: fc.constantFrom(0, 0, 5), log: aValue, events }) },
  { weight: 1, arbitrary: fc.constant(null) },
)
const results = fc.record(
  {
    txs_results: fc.oneof(fc.array(aTx, { maxLength: 5 }), fc.constant(null)),
    begin_block_events: events,
    finalize_block_events: events,
    end_block_events: events,
    validator_updates: fc.constantFrom(null, [], [{ power: '1' }]),
    app_hash: aValue,
  },
  { requiredKeys: [] },
)
const aRun = fc.record({ results, isBase64: fc.boolean(), isPretty: fc.boolean() })
type Run = typeof aRun extends fc.Arbitrary<infer T> ? T : never

const toBase64 = (text: unknown) =>
  typeof text === 'string' ? Buffer.from(text).toString('base64') : text

/** The response as it is sent. */
const toText = ({ results: content, isBase64, isPretty }: Run): string => {
  const encode = (name: string, value: unknown) =>
    isBase64 && (name === 'key' || name === 'value') ? toBase64(value) : value
  const response = { jsonrpc: '2.0', id: 1, result: { height: '7', ...content } }
  return JSON.stringify(response, encode, isPretty ? 2 : 0)
}

const txCount = ({ results: { txs_results: txs } }: Run): number => txs?.length ?? 0

const createCollector = (run: Run, selection: EventSelection | undefined): EventCollector => {
  const nodeVersion = run.isBase64 ? '0.34.0' : '0.38.0'
  return new EventCollector(selection, findEncoding(Buffer.from(toText(run)), nodeVersion))
}

const decode = (
  run: Run,
  response: { result: RpcBlockResults },
  collector: EventCollector,
): Block => {
  const block: RpcBlock = {
    block_id: { hash: 'A'.repeat(64) },
    block: {
      header: { chain_id: 'test-1', height: '7', time: '2026-01-01T00:00:00Z' },
      data: { txs: Array.from({ length: txCount(run) }, () => '') },
    },
  }
  const outcome = decodeResults(response.result, 7, collector)
  return decodeBlock(block, outcome, { chainId: 'test-1', height: 7 })
}

const decodeWhole = (run: Run, selection?: EventSelection): Block =>
  decode(run, JSON.parse(toText(run)), createCollector(run, selection))

const decodeInParts = async (run: Run, selection: EventSelection | undefined): Promise<Block> => {
  const collector = createCollector(run, selection)
  const response = await collectInParts(Buffer.from(toText(run)), collector)
  return decode(run, response as { result: RpcBlockResults }, collector)
}

/** The block, or the reason why it is refused. */
const outcome = (decodeRun: () => Block): Block | string => {
  try {
    return decodeRun()
  } catch (error) {
    return (error as Error).message
  }
}

it('gives the same block in one part and in parts, with and without a selection of events', async () => {
  await fc.assert(
    fc.asyncProperty(aRun, fc.constantFrom(eventSelection, undefined), async (run, selection) => {
      const inParts = await decodeInParts(run, selection).catch((error: Error) => error.message)
      expect(inParts).toEqual(outcome(() => decodeWhole(run, selection)))
    }),
    { numRuns: 1_000 },
  )
})

it('derives the same facts with and without the events that have no reader', () => {
  fc.assert(
    fc.property(aRun, (run) => {
      const all = outcome(() => decodeWhole(run))
      fc.pre(typeof all !== 'string')
      const selected = decodeWhole(run, eventSelection)
      expect(derive(selected)).toEqual(derive(all))
      const none = new Set<number>()
      expect(findMentions(selected, none)).toEqual(findMentions(all, none))
      for (const { ordinal } of all.events) {
        expect(stakeAfterTally(selected, ordinal)).toEqual(stakeAfterTally(all, ordinal))
      }
    }),
    { numRuns: 1_000 },
  )
})

/** As an encoder could write any text after the envelope; Go does so for punctuation. */
const escaped = (text: string, letter: string): string =>
  text.replaceAll(letter, (_, at: number) =>
    at < 60 ? letter : `\\u00${letter.charCodeAt(0).toString(16)}`,
  )

it('calls no results quiet that have an event with a reader', () => {
  let quiet = 0
  const aWriting = fc.record({
    letter: fc.constantFrom('p', 'o', 'd', '', ''),
    isAbout: fc.constantFrom(/(?!)/g, /proposal|delegate/g, /proposal/g),
  })
  fc.assert(
    fc.property(aRun, aWriting, (run, { letter, isAbout }) => {
      const text = toText(run).replace(isAbout, 'x')
      const written = Buffer.from(letter === '' ? text : escaped(text, letter))
      for (const which of ['past', 'live'] as const) {
        if (!isQuiet(written, 7, eventSelection.needles[which])) continue
        quiet++
        const block = decode(run, JSON.parse(text), createCollector(run, eventSelection))
        const { facts, movedStake } = derive(block)
        expect([...facts, ...findMentions(block, new Set<number>())]).toEqual([])
        if (which === 'live') expect(movedStake.size).toBe(0)
      }
    }),
    { numRuns: 2_000 },
  )
  expect(quiet).toBeGreaterThan(10)
})
