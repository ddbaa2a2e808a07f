// Collects one event of each type from the recorded demo chain, or from a chain in memory.
import { readFileSync } from 'node:fs'
import { MsgStoreCode } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { decodeEvent } from '../../ingest/contract/codec.ts'
import { ORDINAL, SUB_LIMIT } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { eventAt } from '../../ingest/derive/event-at.ts'
import type { AnyMessage } from '../../ingest/schema/message-json.ts'
import { submit } from '../support/chain/gov-story.ts'
import { addAll, begin, close } from '../support/chain/history-run.ts'
import { ingestToTip, ingestWhileGrowing, ofType } from '../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../support/chain/memory-chain.ts'
import { indexDemoChain } from '../support/log/demo-log.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { timeAt } from '../support/simulator/blocks.ts'
import { submitTx, voteTx } from '../support/simulator/gov-events.ts'
import { proposalAt } from '../support/simulator/state/chain-state.ts'

const storeCode = (code: Uint8Array): AnyMessage => ({
  typeUrl: MsgStoreCode.typeUrl,
  value: MsgStoreCode.encode(MsgStoreCode.fromPartial({ wasmByteCode: code })).finish(),
})

/** The proposal is in its voting period at once. */
const addSubmission = (chain: MemoryChain, id: string, messages: readonly AnyMessage[]): void => {
  chain.add({ txs: [submitTx(id)] }, (state) => {
    submit(id, chain.tip + 1, 2)(state)
    state.proposals.set(id, { ...state.proposals.get(id)!, messages: [...messages] })
  })
}

export const EXAMPLES_FILE = new URL('../fixtures/event-examples.json', import.meta.url)

/** In this range the demo chain has most types, and open votes before it for the snapshot. */
const FROM = 29
const TO = 130
/** Maximum list length in an example. */
export const MAX_ENTRIES = 2

/** Bytes in base64 are cut to this length. */
const LONG_BASE64 = /^[A-Za-z0-9+/]{200,}=*$/
const BASE64_SHOWN = 64

const shortened = (value: unknown): unknown => {
  if (typeof value === 'string' && LONG_BASE64.test(value)) return value.slice(0, BASE64_SHOWN)
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]))
}

/**
 * Some proposals of the demo chain are spam with markup, and some voters have no stake. Only the first
 * marker covers the same heights in every run.
 */
const isGoodExample = (event: GovernanceEvent): boolean => {
  if (event.type === 'rollcall.block.indexed.v1') return event.height === FROM
  if (event.type === 'rollcall.round.read.v1') return event.data.ballots.length > 0
  // The recording of the demo chain has no proofs.
  if (event.type === 'rollcall.proposal.proof.v1') return event.data.value !== null
  if (event.type === 'rollcall.light-block.observed.v1') return event.data.header !== null
  return !JSON.stringify(event).includes('<')
}

/** The first suitable event of each type. */
const pickExamples = (events: readonly GovernanceEvent[]): GovernanceEvent[] => {
  const found = new Map<string, GovernanceEvent>()
  for (const event of events) {
    if (!found.has(event.type) && isGoodExample(event)) found.set(event.type, event)
  }
  return [...found.values()]
}

const readDemoEvents = async (): Promise<GovernanceEvent[]> => {
  const demo = await indexDemoChain(TO, { START_HEIGHT: `${FROM}` })
  try {
    return demo.records.map(({ value }) => {
      const decoded = decodeEvent(value)
      if (!decoded.ok) throw new Error(decoded.reason)
      return decoded.event
    })
  } finally {
    await demo.remove()
  }
}

/** A vote with an option in an unknown format. */
const createUndecodableEvents = async (): Promise<GovernanceEvent[]> => {
  const chain = createMemoryChain()
  chain.add({ txs: [submitTx('1')] })
  chain.add({ txs: [{ events: [['proposal_vote', { proposal_id: '1', option: 'perhaps' }]] }] })
  return ofType(await ingestToTip(chain, openMemoryLog()), 'rollcall.abci-event.undecodable.v1')
}

/** A vote that a chain's own module ended without an event of x/gov. */
const createReconciledEvents = async (): Promise<GovernanceEvent[]> => {
  const chain = createMemoryChain()
  chain.add()
  chain.add({ txs: [submitTx('1')] }, ({ proposals }) => {
    proposals.set('1', proposalAt('1', 2, 2))
  })
  const veto = ['veto_proposal', { proposal_id: '1' }] as const
  chain.add({ txs: [{ events: [veto] }] }, ({ proposals }) => {
    proposals.set('1', { ...proposals.get('1')!, status: 6 as number })
  })
  return ofType(await ingestToTip(chain, openMemoryLog()), 'rollcall.proposal.reconciled.v1')
}

/** The height that carries it. */
const AFTER_VOTE = 7

/** A vote that ended before the first height of the log. */
const createHistoryEvents = async (): Promise<GovernanceEvent[]> => {
  const chain = addAll(createMemoryChain(), [
    [{}],
    begin('1', { from: 2, until: 5 }),
    [{ txs: [voteTx('1', 'alice'), voteTx('1', 'one', 4)] }],
    [{}],
    close('1', { yes: '75', no: '0', noWithVeto: '490' }),
    [{}],
  ])
  const env = { START_HEIGHT: `${chain.tip}`, HISTORY: 'votes' }
  const events = await ingestWhileGrowing(chain, {
    env,
    holds: (read) => ofType(read, 'rollcall.vote.reconstructed.v1').length > 0,
  })
  // How many blocks the reads take depends on the machine.
  const block = { chainId: chain.chainId, height: AFTER_VOTE, time: timeAt(AFTER_VOTE) }
  const placed = (event: GovernanceEvent) => {
    const at = { ordinal: ORDINAL.history, sub: event.index % SUB_LIMIT }
    return eventAt(block, at, event)
  }
  return ofType(events, 'rollcall.vote.reconstructed.v1').map(placed)
}

/** The code of a contract. */
const createBytesEvents = async (): Promise<GovernanceEvent[]> => {
  const chain = createMemoryChain()
  chain.add()
  addSubmission(chain, '1', [storeCode(Buffer.from('code of a contract '.repeat(500)))])
  return ofType(await ingestToTip(chain, openMemoryLog()), 'rollcall.message.bytes.v1')
}

/** A proposal on a chain that proves its state. */
const createProofEvents = async (): Promise<GovernanceEvent[]> => {
  const chain = createMemoryChain({ proves: true })
  chain.add({ txs: [submitTx('1')] }, ({ proposals }) => {
    proposals.set('1', proposalAt('1', 1, 2))
  })
  chain.add()
  chain.add()
  const events = await ingestToTip(chain, openMemoryLog())
  return [
    ...ofType(events, 'rollcall.light-block.observed.v1'),
    ...ofType(events, 'rollcall.validators.observed.v1'),
    ...ofType(events, 'rollcall.proposal.proof.v1'),
  ]
}

/** Indexes the chains, which takes seconds. */
export const readEventExamples = async (): Promise<GovernanceEvent[]> => {
  const events = [
    ...(await readDemoEvents()),
    ...(await createUndecodableEvents()),
    ...(await createReconciledEvents()),
    ...(await createHistoryEvents()),
    ...(await createBytesEvents()),
    ...(await createProofEvents()),
  ]
  return pickExamples(events.map((event) => shortened(event) as GovernanceEvent))
}

export const writtenExamples = (events: readonly GovernanceEvent[]): string =>
  `${JSON.stringify(events, null, 2)}\n`

/** The examples in the repository. */
export const storedExamples = (): GovernanceEvent[] =>
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as GovernanceEvent[]
