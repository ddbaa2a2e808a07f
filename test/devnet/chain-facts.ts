// Reads the events of governance and stake from the node's block results.
import { createRawRpc } from './rpc.ts'

export type ChainEvent = {
  height: number
  type: string
  attributes: { key: string; value: string }[]
  /** False for events of the block itself. */
  isInTx: boolean
}

const TYPES: ReadonlySet<string> = new Set([
  'submit_proposal',
  'proposal_deposit',
  'proposal_vote',
  'active_proposal',
  'inactive_proposal',
  'cancel_proposal',
  'delegate',
  'unbond',
  'redelegate',
  'slash',
])

export const findAttribute = (event: ChainEvent, key: string): string | undefined =>
  event.attributes.find((attribute) => attribute.key === key)?.value

/** Those of successful transactions, then those of the blocks themselves. */
export async function readEvents(rpcUrl: string, lastHeight: number): Promise<ChainEvent[]> {
  const rpc = createRawRpc(rpcUrl)
  const found: ChainEvent[] = []
  for (let height = 1; height <= lastHeight; height++) {
    const results = await rpc.call('block_results', { height: String(height) })
    const txs = (results.txs_results ?? [])
      .filter(({ code }: { code: number }) => code === 0)
      .flatMap(({ events }: { events: ChainEvent[] }) => events)
    const take = (events: ChainEvent[], isInTx: boolean) =>
      events.filter(({ type }) => TYPES.has(type)).map((event) => ({ ...event, height, isInTx }))
    found.push(...take(txs, true), ...take(results.finalize_block_events ?? [], false))
  }
  return found
}

/** The ends of the rounds of a vote; all but the last one are restarts. */
export const listCloses = (events: readonly ChainEvent[], id: bigint | string): ChainEvent[] =>
  events.filter(
    (event) =>
      event.type === 'active_proposal' && findAttribute(event, 'proposal_id') === String(id),
  )
