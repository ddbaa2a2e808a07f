// Encodes rows as a JSONEachRow body, in pieces of the size of a socket write. Pure.

const PIECE_CHARACTERS = 256 * 1024

/** In ES2024. */
type WellFormed = string & { toWellFormed(): string }

/** Half of a surrogate pair has no UTF-8 encoding: the replacement character is stored instead, as in any decoder. */
const toStorable = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'string' ? (value as WellFormed).toWellFormed() : value
}

/** JSON has half of a pair as an escape, which the store refuses. */
const HALF_PAIR = '\\ud'

const encodeRow = (row: object): string => {
  try {
    const text = JSON.stringify(row)
    if (!text.includes(HALF_PAIR)) return text
  } catch {
    // The row contains a bigint.
  }
  // A replacer makes JSON.stringify several times slower, so it is only the second attempt.
  return JSON.stringify(row, toStorable)
}

export function* encodeRows(rows: readonly object[]): Generator<string> {
  let piece = ''
  for (const row of rows) {
    piece += `${encodeRow(row)}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
