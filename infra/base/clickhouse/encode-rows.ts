// Encodes rows as a JSONEachRow body, in pieces of the size of a socket write. Pure.

const PIECE_CHARACTERS = 256 * 1024

const withoutBigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value

const encodeRow = (row: object): string => {
  try {
    return JSON.stringify(row)
  } catch {
    // The row contains a bigint. A replacer makes JSON.stringify several times slower, so it is only the second attempt.
    return JSON.stringify(row, withoutBigints)
  }
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
