// One chain, and positions that only ascend. Ids follow from positions, so then no id is there twice. Pure.

import { chainIdOf, positionOf, type UnreadEnvelope } from '../../../ingest/contract/envelope.ts'
import type { LogRecord } from '../../log/event-log.ts'
import type { Tell } from './violation.ts'

export type OrderCheck = {
  add(record: LogRecord, envelope: UnreadEnvelope): void
  chainId(): string | null
}

export const createOrderCheck = (tell: Tell): OrderCheck => {
  let chainId: string | null = null
  let highest: { position: bigint; id: string; offset: bigint } | undefined
  const checkChain = (record: LogRecord, envelope: UnreadEnvelope): void => {
    const found = chainIdOf(envelope)
    chainId ??= found
    if (found === chainId) return
    tell('other chain', record, `${envelope.id} is of ${found}, the log of ${chainId}`)
  }
  return {
    chainId: () => chainId,
    add: (record, envelope) => {
      checkChain(record, envelope)
      const { id } = envelope
      const position = positionOf(envelope)
      if (!highest || position > highest.position) {
        highest = { position, id, offset: record.offset }
      } else if (position === highest.position) {
        tell('order', record, `${id} is there twice, also at offset ${highest.offset}`)
      } else {
        tell('order', record, `${id} stands behind ${highest.id}`)
      }
    },
  }
}
