// Checks that all records are of one chain and that positions only ascend, so that no ID is a duplicate. Pure.

import {
  type EventEnvelope,
  readChainId,
  toPosition,
} from '../../../../ingest/contract/envelope.ts'
import type { LogRecord } from '../../../base/log/event-log.ts'
import type { ReportViolation } from './violation.ts'

export type OrderCheck = {
  add(record: LogRecord, envelope: EventEnvelope): void
  chainId(): string | null
}

export const createOrderCheck = (reportViolation: ReportViolation): OrderCheck => {
  let chainId: string | null = null
  let highest: { position: bigint; id: string; offset: bigint } | undefined
  const checkChain = (record: LogRecord, envelope: EventEnvelope): void => {
    const found = readChainId(envelope)
    chainId ??= found
    if (found === chainId) return
    reportViolation('other chain', record, `${envelope.id} is of ${found}, the log of ${chainId}`)
  }
  return {
    chainId: () => chainId,
    add: (record, envelope) => {
      checkChain(record, envelope)
      const { id } = envelope
      const position = toPosition(envelope)
      if (!highest || position > highest.position) {
        highest = { position, id, offset: record.offset }
      } else if (position === highest.position) {
        reportViolation('order', record, `${id} is a duplicate of offset ${highest.offset}`)
      } else {
        reportViolation('order', record, `${id} is out of order: it is after ${highest.id}`)
      }
    },
  }
}
