// The events that subscriptions send for a new block, built from its block and results as the RPC has them.

import type { NodeView } from '../rpc/methods.ts'
import { readResult } from '../rpc/reply.ts'
import { hasByteAttributes, joinsBlockEvents, type RpcForm } from './forms.ts'

const EVENT_KINDS = ['NewBlock', 'NewBlockHeader', 'NewBlockEvents'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

type AbciEvent = { type?: string; attributes: { key: string; value: string | null }[] | null }

/** Only the event kind is supported. */
export const parseQueryKind = (query: string): EventKind | undefined => {
  const kind = /^\s*tm\.event\s*=\s*'(\w+)'\s*$/.exec(query)?.[1]
  return EVENT_KINDS.find((each) => each === kind)
}

/** Approximates the parser of a real node. */
export const isQuery = (query: string): boolean =>
  /^\s*[\w.]+\s*(=|<|>|<=|>=|CONTAINS|EXISTS)/.test(query)

type Flat = Record<string, string[]>

/** The attributes of all events by name, as text in every form. */
const flatten = (events: readonly AbciEvent[], kind: EventKind, form: RpcForm): Flat => {
  const decode = (text: string | null) =>
    hasByteAttributes(form) ? Buffer.from(text ?? '', 'base64').toString() : (text ?? '')
  const flat: Flat = { 'tm.event': [kind] }
  for (const { type, attributes } of events) {
    for (const { key, value } of attributes ?? []) {
      const name = `${type}.${decode(key)}`
      const values = flat[name] ?? []
      flat[name] = values
      values.push(decode(value))
    }
  }
  return flat
}

/** The `result` of `block` and of `block_results`, in any form. */
// biome-ignore lint/suspicious/noExplicitAny: recorded or written JSON; a few of its members are read
export type BlockJson = { block: any; results: any }

export function readBlockJson(view: NodeView, height: number): BlockJson {
  const { write } = view
  const block = readResult(write.block(view, height))
  return { block, results: readResult(write.blockResults(view, height)) }
}

const listEvents = (results: BlockJson['results']): AbciEvent[] =>
  results.finalize_block_events ?? [
    ...(results.begin_block_events ?? []),
    ...(results.end_block_events ?? []),
  ]

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
  const events = listEvents(results)
  // Since 0.38, the header comes alone.
  const isAlone = kind === 'NewBlockHeader' && joinsBlockEvents(form)
  const ofResults = writeResults(form, results)
  const values = {
    NewBlock: { block, block_id, ...ofResults },
    NewBlockHeader: isAlone ? { header: block.header } : { header: block.header, ...ofResults },
    NewBlockEvents: {
      height: block.header.height,
      events,
      num_txs: String(block.data.txs?.length ?? 0),
    },
  }
  return {
    query,
    data: { type: `tendermint/event/${kind}`, value: values[kind] },
    events: flatten(isAlone ? [] : events, kind, form),
  }
}
