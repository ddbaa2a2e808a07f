// Tests of the statements of the schema: each has the variables of a cluster.
import { describe, expect, it } from 'vitest'
import { readSources } from '../../../support/source/source-tree.ts'

describe('the schema', () => {
  it('is changed by no statement of the sources without the variable of a cluster', () => {
    // The embedded log is SQLite.
    const sources = readSources().filter(({ path }) =>
      /^(?!test\/|infra\/base\/log\/).*\.(?:ts|sql)$/.test(path),
    )
    const statement =
      /\b(?:CREATE|ALTER|DROP|TRUNCATE|RENAME|EXCHANGE|DETACH|ATTACH)(?: OR REPLACE)?(?: MATERIALIZED)? (?:DATABASE|TABLES?|VIEW)\b.*/g
    const found = sources.flatMap(({ text }) => text.match(statement) ?? [])
    expect(found.length).toBeGreaterThan(20)
    expect(found.filter((line) => !line.includes('on_cluster'))).toEqual([])
  })
})
