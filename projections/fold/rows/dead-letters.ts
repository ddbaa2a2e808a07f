// Creates the row of an undecodable record with its original bytes, or of a row that could not be stored.
import type { DeadLetterRow } from '../../contract/tables/dead-letters.ts'

export type DeadLetter = {
  /** Undefined for a refused row whose record is not in the log. */
  offset: bigint | undefined
  height: number
  /** `'0'` if it is unknown. */
  proposalId: string
  reason: string
  value: Uint8Array
  /** 0 if it is unknown. */
  position: bigint
}

/** As text; bytes that are not UTF-8 as `base64:…`. */
const encodeValue = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return `base64:${Buffer.from(bytes).toString('base64')}`
  }
}

export const deadLetterRow = (letter: DeadLetter): DeadLetterRow => ({
  offset: letter.offset ?? 0n,
  rowPosition: letter.offset === undefined ? letter.position || 1n : 0n,
  height: letter.height,
  proposalId: letter.proposalId,
  reason: letter.reason,
  value: encodeValue(letter.value),
  version: letter.position,
})
