// Reads facts about proposals from the node's block results: their events and the end of each vote.
import { createRawRpc } from './rpc.ts'

type Attribute = { key: string; value: string }
export type ChainEvent = {
  height: number
  type: string
  attributes: Attribute[]
  /** False for events of the block itself. */
  isInTx: boolean
}

const GOVERNANCE = new Set([
  'submit_proposal',
  'proposal_deposit',
  'proposal_vote',
  'active_proposal',
  'inactive_proposal',
  'cancel_proposal',
])

/** Events that move or slash stake. */
export const STAKE_EVENTS = ['delegate', 'unbond', 'redelegate', 'slash'] as const

export const findAttribute = (event: ChainEvent, key: string): string | undefined =>
  event.attributes.find((attribute) => attribute.key === key)?.value

/** Governance events, and those of the further types, of successful transactions and of the blocks themselves, in order. */
export async function readGovernanceEvents(
  rpcUrl: string,
  range: { from: number; to: number },
  more: readonly string[] = [],
): Promise<ChainEvent[]> {
  const types = new Set([...GOVERNANCE, ...more])
  const rpc = createRawRpc(rpcUrl)
  const found: ChainEvent[] = []
  for (let height = range.from; height <= range.to; height++) {
    const results = await rpc.call('block_results', { height: String(height) })
    const blockEvents = results.finalize_block_events ?? []
    const findMode = (event: ChainEvent) => findAttribute(event, 'mode')
    const own: ChainEvent[] = blockEvents.map((event: ChainEvent) => ({
      ...event,
      height,
      isInTx: false,
    }))
    const txs: ChainEvent[] = (results.txs_results ?? [])
      .filter((tx: { code: number }) => tx.code === 0)
      .flatMap((tx: { events: ChainEvent[] }) => tx.events)
      .map((event: ChainEvent) => ({ ...event, height, isInTx: true }))
    const before = own.filter((event) => findMode(event) !== 'EndBlock')
    const after = own.filter((event) => findMode(event) === 'EndBlock')
    found.push(...[...before, ...txs, ...after].filter(({ type }) => types.has(type)))
  }
  return found
}

/** The height at which a proposal's vote ended for good; undefined while it is open. */
export function closingHeight(events: readonly ChainEvent[], id: string): number | undefined {
  return events.find(
    (event) =>
      event.type === 'active_proposal' &&
      findAttribute(event, 'proposal_id') === id &&
      findAttribute(event, 'proposal_result') !== 'expedited_proposal_rejected',
  )?.height
}
