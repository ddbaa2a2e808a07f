// Splits SQL into statements, ignoring the content of strings, names and comments. Pure.

/** What a semicolon does not end: quoted text (with `\` and doubled quotes), both kinds of comments. */
const TOKEN =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|;|['"`]|\/\*/g

const UNCLOSED = ["'", '"', '`', '/*']

/** Statements without their semicolons and with their comments; omits statements that have only comments. */
export const splitStatements = (sql: string): string[] => {
  const statements: string[] = []
  let start = 0
  let hasCode = false
  let reached = 0
  const end = (at: number) => {
    if (hasCode) statements.push(sql.slice(start, at).trim())
    start = at + 1
    hasCode = false
  }
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (UNCLOSED.includes(token)) throw new SyntaxError(`${token} at ${index} is never closed`)
    if (sql.slice(reached, index).trim() !== '') hasCode = true
    reached = index + token.length
    if (token === ';') end(index)
    else if (!token.startsWith('--') && !token.startsWith('/*')) hasCode = true
  }
  if (sql.slice(reached).trim() !== '') hasCode = true
  end(sql.length)
  return statements
}

/** The same length, with spaces for the content of strings, quoted names and comments. */
export const maskQuoted = (sql: string): string =>
  sql.replace(TOKEN, (token) => (token === ';' ? token : ' '.repeat(token.length)))
