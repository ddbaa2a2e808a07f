// Makes the row of a record that could not be read, with the bytes as they came.
import type { DeadLetterRow } from '../../contract/read-model.ts'

export type DeadLetter = {
  offset: bigint
  height: number
  /** `'0'` where it is not known. */
  proposalId: string
  reason: string
  value: Uint8Array
  position: bigint
}

/** As text; bytes that are no UTF-8 as `base64:…`. */
const encodeValue = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return `base64:${Buffer.from(bytes).toString('base64')}`
  }
}

export const deadLetterRow = (letter: DeadLetter): DeadLetterRow => ({
  offset: letter.offset.toString(),
  height: String(letter.height),
  proposal_id: letter.proposalId,
  reason: letter.reason,
  value: encodeValue(letter.value),
  version: letter.position.toString(),
})
