// The events that subscriptions send for a new block, built from its block and results as the RPC has them.
import { toBlockJson, toBlockResultsJson } from './block-json.ts'
import { joinsBlockEvents, type RpcForm } from './forms.ts'
import type { NodeView } from './node-view.ts'

const EVENT_KINDS = ['NewBlock', 'NewBlockHeader', 'NewBlockEvents'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

type AbciEvent = { type?: string; attributes: { key: string; value: string }[] | null }

/** Only the event kind is supported. */
export const parseQueryKind = (query: string): EventKind | undefined => {
  const kind = /^\s*tm\.event\s*=\s*'(\w+)'\s*$/.exec(query)?.[1]
  return EVENT_KINDS.find((each) => each === kind)
}

/** Approximates the parser of a real node. */
export const isQuery = (query: string): boolean =>
  /^\s*[\w.]+\s*(=|<|>|<=|>=|CONTAINS|EXISTS)/.test(query)

const flatten = (events: readonly AbciEvent[], kind: EventKind): Record<string, string[]> => {
  const flat: Record<string, string[]> = { 'tm.event': [kind] }
  for (const { type, attributes } of events) {
    for (const { key, value } of attributes ?? []) {
      const name = `${type}.${key}`
      const values = flat[name] ?? []
      flat[name] = values
      values.push(value)
    }
  }
  return flat
}

/** The `result` of `block` and of `block_results`, in any form. */
// biome-ignore lint/suspicious/noExplicitAny: recorded or written JSON; a few of its members are read
export type BlockJson = { block: any; results: any }

export const readBlockJson = ({ chain, form }: NodeView, height: number): BlockJson => {
  const texts = chain.recorded?.texts(height)
  return texts
    ? { block: JSON.parse(texts.block), results: JSON.parse(texts.blockResults) }
    : { block: toBlockJson(chain, height), results: toBlockResultsJson(chain, height, form) }
}

const writeResults = (form: RpcForm, results: BlockJson['results']) => {
  if (!joinsBlockEvents(form)) {
    return {
      result_begin_block: { events: results.begin_block_events ?? [] },
      result_end_block: {
        validator_updates: results.validator_updates ?? [],
        events: results.end_block_events ?? [],
      },
    }
  }
  return {
    result_finalize_block: {
      events: results.finalize_block_events ?? [],
      // Without transactions the member is absent here, and an empty list where the RPC has null.
      ...(results.txs_results ? { tx_results: results.txs_results } : {}),
      validator_updates: results.validator_updates ?? [],
      consensus_param_updates: results.consensus_param_updates,
      app_hash: results.app_hash,
    },
  }
}

/** The `result` that is pushed to a subscriber. */
export const toEventJson = (
  { kind, query, form }: { kind: EventKind; query: string; form: RpcForm },
  { block: whole, results }: BlockJson,
) => {
  const { block, block_id } = whole
  const events: AbciEvent[] = results.finalize_block_events ?? []
  const ofResults = writeResults(form, results)
  const values = {
    NewBlock: { block, block_id, ...ofResults },
    NewBlockHeader: { header: block.header, ...(joinsBlockEvents(form) ? {} : ofResults) },
    NewBlockEvents: {
      height: block.header.height,
      events,
      num_txs: String(block.data.txs?.length ?? 0),
    },
  }
  return {
    query,
    data: { type: `tendermint/event/${kind}`, value: values[kind] },
    events: kind === 'NewBlockHeader' ? { 'tm.event': [kind] } : flatten(events, kind),
  }
}
