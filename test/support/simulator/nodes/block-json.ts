// Writes blocks and their results in the form of each version.

import type { ChainEvent, ChainTx, ServedBlock, ServedChain } from '../rpc/served-chain.ts'

/** What nodes of each version write differently. `sei` is Tendermint 0.35 as Sei runs it. */
export const RPC_FORMS = ['0.34', '0.37', '0.38', '0.39', '1.0', 'sei'] as const
export type RpcForm = (typeof RPC_FORMS)[number]

/** One list for begin and end block. */
const joinsBlockEvents = (form: RpcForm): boolean => form !== '0.34' && form !== '0.37'

/** Attributes are `bytes`: base64 in JSON. */
const hasByteAttributes = (form: RpcForm): boolean => form === '0.34' || form === 'sei'

/** Why a node has no block of a height, in the words of its version. `lowest`: of its blocks. */
export const describeRefusal = (
  form: RpcForm,
  height: bigint,
  { tip, lowest }: { tip: number; lowest: number },
): string => {
  const isLater = height > BigInt(tip)
  if (form === 'sei') {
    return isLater
      ? `height must be less than or equal to the head of the node's blockchain (requested height: ${height}, blockchain height: ${tip})`
      : `height is not available (requested height: ${height}, base height: ${lowest})`
  }
  return isLater
    ? `height ${height} must be less than or equal to the current blockchain height ${tip}`
    : `height ${height} is not available, lowest height is ${lowest}`
}

/** What a node of the form reports in `status`. */
export const NODE_VERSIONS: Record<RpcForm, string> = {
  '0.34': '0.34.29',
  '0.37': '0.37.15',
  '0.38': '0.38.21',
  '0.39': '0.39.4',
  '1.0': '1.0.1',
  sei: '0.35.0-unreleased',
}

/** `null` for an empty list, like an empty slice in Go; Sei omits it. */
const toWireList = <Item>(
  items: readonly Item[],
  form: RpcForm,
): readonly Item[] | null | undefined => {
  if (items.length > 0) return items
  return form === 'sei' ? undefined : null
}

const toAttribute = ([key, value]: readonly [string, string], form: RpcForm) => {
  if (!hasByteAttributes(form)) return { key, value, index: true }
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return { key: encode(key), value: value === '' ? null : encode(value), index: true }
}

const toEvent = ({ type, attributes }: ChainEvent, form: RpcForm) => ({
  ...(type === undefined ? {} : { type }),
  attributes: toWireList(
    attributes.map((attribute) => toAttribute(attribute, form)),
    form,
  ),
})

const toEvents = (events: readonly ChainEvent[], form: RpcForm) =>
  toWireList(
    events.map((event) => toEvent(event, form)),
    form,
  )

const withMode = (events: readonly ChainEvent[], mode: string): ChainEvent[] =>
  events.map((event) => ({ ...event, attributes: [...event.attributes, ['mode', mode]] }))

/** The SDK of Sei is 0.45: it joins both lists and marks neither. */
const joinPhases = ({ begin = [], end = [] }: ServedBlock, form: RpcForm) =>
  form === 'sei'
    ? [...begin, ...end]
    : [...withMode(begin, 'BeginBlock'), ...withMode(end, 'EndBlock')]

const toBlockEvents = (block: ServedBlock, form: RpcForm) =>
  joinsBlockEvents(form)
    ? { finalize_block_events: toEvents(joinPhases(block, form), form) }
    : {
        begin_block_events: toEvents(block.begin ?? [], form),
        end_block_events: toEvents(block.end ?? [], form),
      }

const toTxResult = ({ code = 0, events = [] }: ChainTx, form: RpcForm) => ({
  ...(form === 'sei' && code === 0 ? {} : { code }),
  data: null,
  log: '',
  info: '',
  gas_wanted: '200000',
  gas_used: '100000',
  events: toEvents(events, form),
  codespace: '',
})

/** With the members of the signed header, if the chain has one. */
export const toHeaderJson = (chain: ServedChain, height: number) => {
  const { time, previousHash } = chain.block(height)
  const signed = chain.signed?.(height)?.header ?? {}
  const { last_block_id: previous } = signed as { last_block_id?: object }
  return {
    version: { block: '11' },
    ...signed,
    chain_id: chain.chainId,
    height: String(height),
    time,
    last_block_id: { ...previous, hash: previousHash },
  }
}

export const toBlockJson = (chain: ServedChain, height: number) => {
  const { hash, txs = [] } = chain.block(height)
  return {
    block_id: { hash },
    block: {
      header: toHeaderJson(chain, height),
      data: { txs: txs.map(({ bytes }) => Buffer.from(bytes).toString('base64')) },
      evidence: { evidence: [] },
    },
  }
}

const toValidatorUpdates = ({ changesValidators = false }: ServedBlock) => ({
  validator_updates: changesValidators
    ? [{ pub_key: { Sum: { type: 'PublicKey_Ed25519', value: { ed25519: 'AA==' } } }, power: '7' }]
    : null,
})

export const toBlockResultsJson = (chain: ServedChain, height: number, form: RpcForm) => {
  const block = chain.block(height)
  return {
    height: String(height),
    txs_results: toWireList(
      (block.txs ?? []).map((tx) => toTxResult(tx, form)),
      form,
    ),
    ...(form === 'sei' ? { total_gas_used: '0' } : toValidatorUpdates(block)),
    ...toBlockEvents(block, form),
    ...(form === 'sei' ? {} : { consensus_param_updates: null }),
  }
}
