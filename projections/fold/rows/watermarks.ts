// Creates the row with the position up to which a proposal may be served.
import type { WatermarkRow } from '../../contract/tables/proposals.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

export const watermarkRow = (
  proposalId: string,
  at: EventPosition,
  { final, awaits }: Pick<WatermarkRow, 'final' | 'awaits'>,
): WatermarkRow => ({
  proposalId: proposalId,
  position: at.value,
  time: timestampOrEpoch(at.time),
  final,
  awaits,
})
