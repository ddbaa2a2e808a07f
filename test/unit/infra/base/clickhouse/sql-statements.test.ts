// Tests of splitting SQL into statements: only a semicolon in code ends a statement.
import { describe, expect, it } from 'vitest'
import { splitStatements } from '../../../../../infra/base/clickhouse/sql-statements.ts'

describe('splitStatements', () => {
  it('splits at semicolons and drops empty statements', () => {
    expect(splitStatements('SELECT 1; SELECT 2;;\n ;SELECT 3')).toEqual([
      'SELECT 1',
      'SELECT 2',
      'SELECT 3',
    ])
  })

  it.each([
    ["a string: SELECT 'a;b'", "SELECT 'a;b'"],
    ["a doubled quote: SELECT 'it''s; fine'", "SELECT 'it''s; fine'"],
    ["an escaped quote: SELECT 'it\\'s; fine'", "SELECT 'it\\'s; fine'"],
    ['a quoted name: SELECT `a;b`, "c;d"', 'SELECT `a;b`, "c;d"'],
    ['a line comment: SELECT 1 -- one; two\n + 2', 'SELECT 1 -- one; two\n + 2'],
    ["a line comment with a quote: SELECT 1 -- it's\n", "SELECT 1 -- it's"],
    ['a block comment: SELECT /* a; b */ 1', 'SELECT /* a; b */ 1'],
    ["dashes in a string: SELECT '--', 1", "SELECT '--', 1"],
  ])('does not split inside %s', (text, expected) => {
    const sql = text.slice(text.indexOf(': ') + 2)
    expect(splitStatements(`${sql};\nSELECT 2`)).toEqual([expected, 'SELECT 2'])
  })

  it('drops statements that consist of comments only', () => {
    expect(splitStatements('-- only; this\n/* and; that */;\nSELECT 1; -- the end')).toEqual([
      'SELECT 1',
    ])
  })

  it.each(["SELECT 'a", 'SELECT `a', 'SELECT 1 /* a'])(
    'refuses an unclosed quote or comment: %s',
    (sql) => {
      expect(() => splitStatements(sql)).toThrow('is never closed')
    },
  )
})
