// Makes the row that says up to where a proposal may be served.
import type { WatermarkRow } from '../contract/read-model.ts'
import { type Moment, timestampOrEpoch } from './moment.ts'

export const watermarkRow = (
  proposalId: string,
  moment: Moment,
  isFinal: boolean,
): WatermarkRow => ({
  proposal_id: proposalId,
  position: moment.digits,
  time: timestampOrEpoch(moment.time),
  final: isFinal,
})
