// Formats the fake chain like the RPC of each CometBFT version.
import {
  type FakeBlock,
  type FakeChain,
  type FakeEvent,
  type FakeTx,
  txBytes,
} from './fake-chain.ts'

export const ERAS = ['0.34', '0.37', '0.38', '0.39', '1.0', 'sei'] as const
export type Era = (typeof ERAS)[number]

/** The version that a node of the era reports. */
export const versionOf: Record<Era, string> = {
  '0.34': '0.34.29',
  '0.37': '0.37.15',
  '0.38': '0.38.21',
  '0.39': '0.39.4',
  '1.0': '1.0.1',
  sei: '0.35.0-unreleased',
}

const hasFinalizeBlock = (era: Era): boolean => era !== '0.34' && era !== '0.37'

/** Attributes are `bytes`: base64 in JSON. */
const hasBytes = (era: Era): boolean => era === '0.34' || era === 'sei'

/** `null` for an empty list, like an empty slice in Go; Sei omits it. */
const toWireList = <T>(items: readonly T[], era: Era): readonly T[] | null | undefined => {
  if (items.length > 0) return items
  return era === 'sei' ? undefined : null
}

const wireAttribute = ([key, value]: readonly [string, string], era: Era) => {
  const encode = (text: string) => (hasBytes(era) ? Buffer.from(text).toString('base64') : text)
  return {
    key: encode(key),
    value: hasBytes(era) && value === '' ? null : encode(value),
    index: true,
  }
}

const wireEvent = (event: FakeEvent, era: Era) => ({
  ...(event.type === undefined ? {} : { type: event.type }),
  attributes: toWireList(
    event.attributes.map((attribute) => wireAttribute(attribute, era)),
    era,
  ),
})

const wireEvents = (events: readonly FakeEvent[], era: Era) =>
  toWireList(
    events.map((event) => wireEvent(event, era)),
    era,
  )

const withMode = (events: readonly FakeEvent[] | undefined, mode: string): FakeEvent[] =>
  (events ?? []).map((event) => ({ ...event, attributes: [...event.attributes, ['mode', mode]] }))

/** The SDK of Sei is 0.45: it joins both lists and marks neither. */
const joinPhases = ({ begin = [], end = [], unmarked = false }: FakeBlock, era: Era) =>
  unmarked || era === 'sei'
    ? [...begin, ...end]
    : [...withMode(begin, 'BeginBlock'), ...withMode(end, 'EndBlock')]

const blockEvents = (block: FakeBlock, era: Era) =>
  hasFinalizeBlock(era)
    ? { finalize_block_events: wireEvents(joinPhases(block, era), era) }
    : {
        begin_block_events: wireEvents(block.begin ?? [], era),
        end_block_events: wireEvents(block.end ?? [], era),
      }

const wireTxResult = (tx: FakeTx, era: Era) => ({
  ...(era === 'sei' && !tx.code ? {} : { code: tx.code ?? 0 }),
  data: null,
  log: '',
  info: '',
  gas_wanted: '200000',
  gas_used: '100000',
  events: wireEvents(tx.events ?? [], era),
  codespace: '',
})

export const wireStatus = (chain: FakeChain, era: Era, tip: number) => ({
  node_info: { network: chain.chainId, version: versionOf[era], protocol_version: { block: '11' } },
  sync_info: {
    latest_block_hash: chain.hashAt(tip),
    latest_block_height: String(tip),
    latest_block_time: chain.timeAt(tip),
    earliest_block_height: String(chain.initialHeight),
    catching_up: false,
  },
})

export const wireHeader = (chain: FakeChain, height: number) => ({
  version: { block: '11' },
  chain_id: chain.chainId,
  height: String(height),
  time: chain.timeAt(height),
  last_block_id: { hash: chain.hashAt(height - 1) },
})

export const wireBlock = (chain: FakeChain, height: number) => ({
  block_id: { hash: chain.hashAt(height) },
  block: {
    header: wireHeader(chain, height),
    data: {
      txs: (chain.blockAt(height).txs ?? []).map((tx, index) =>
        Buffer.from(txBytes(tx, height, index)).toString('base64'),
      ),
    },
    evidence: { evidence: [] },
  },
})

const validatorUpdates = ({ changesValidators = false }: FakeBlock) => ({
  validator_updates: changesValidators
    ? [{ pub_key: { Sum: { type: 'PublicKey_Ed25519', value: { ed25519: 'AA==' } } }, power: '7' }]
    : null,
})

export const wireBlockResults = (chain: FakeChain, height: number, era: Era) => {
  const block = chain.blockAt(height)
  return {
    height: String(height),
    txs_results: toWireList(
      (block.txs ?? []).map((tx) => wireTxResult(tx, era)),
      era,
    ),
    ...(era === 'sei' ? { total_gas_used: '0' } : validatorUpdates(block)),
    ...blockEvents(block, era),
    ...(era === 'sei' ? {} : { consensus_param_updates: null }),
  }
}
