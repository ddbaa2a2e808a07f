// Builds the new-block events of CometBFT subscriptions from the recorded block and its results.
import type { RecordedBlock } from './recording.ts'

const EVENT_KINDS = ['NewBlock', 'NewBlockHeader', 'NewBlockEvents'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

type AbciEvent = { type: string; attributes: { key: string; value: string }[] }

/** Only the event kind is supported. */
export function parseQueryKind(query: string): EventKind | undefined {
  const kind = /^\s*tm\.event\s*=\s*'(\w+)'\s*$/.exec(query)?.[1]
  return EVENT_KINDS.find((each) => each === kind)
}

/** Approximates the parser of a real node. */
export const isQuery = (query: string): boolean =>
  /^\s*[\w.]+\s*(=|<|>|<=|>=|CONTAINS|EXISTS)/.test(query)

function flatten(events: readonly AbciEvent[], kind: EventKind) {
  const flat: Record<string, string[]> = { 'tm.event': [kind] }
  for (const event of events) {
    for (const { key, value } of event.attributes) {
      const name = `${event.type}.${key}`
      const values = flat[name] ?? []
      flat[name] = values
      values.push(value)
    }
  }
  return flat
}

/** The text of one `result` pushed to a subscriber. */
export function eventText(kind: EventKind, query: string, recorded: RecordedBlock): string {
  const { block, block_id } = JSON.parse(recorded.block)
  const results = JSON.parse(recorded.blockResults)
  const events: AbciEvent[] = results.finalize_block_events ?? []
  const values = {
    NewBlock: {
      block,
      block_id,
      result_finalize_block: {
        events,
        // Without transactions the member is absent here, and an empty list where the RPC has null.
        ...(results.txs_results ? { tx_results: results.txs_results } : {}),
        validator_updates: results.validator_updates ?? [],
        consensus_param_updates: results.consensus_param_updates,
        app_hash: results.app_hash,
      },
    },
    NewBlockHeader: { header: block.header },
    NewBlockEvents: {
      height: block.header.height,
      events,
      num_txs: String(block.data.txs?.length ?? 0),
    },
  }
  const flat = kind === 'NewBlockHeader' ? { 'tm.event': [kind] } : flatten(events, kind)
  return JSON.stringify({
    query,
    data: { type: `tendermint/event/${kind}`, value: values[kind] },
    events: flat,
  })
}
