// Tests what follows from the declaration of a table.
import { describe, expect, it } from 'vitest'
import {
  amount,
  atto,
  id,
  nullable,
  safeInteger,
  text,
  uint64,
} from '../../../../../projections/contract/table/column-types.ts'
import {
  defineTable,
  type RowOf,
  type StoredRowOf,
} from '../../../../../projections/contract/table/define-table.ts'
import { selectFrom } from '../../../../../projections/contract/table/select-from.ts'
import { TABLES } from '../../../../../projections/contract/tables.ts'

const poolVotes = defineTable('poolVotes', {
  comment: 'Votes of pools',
  key: ['proposalId', 'operatorAddress'],
  version: 'version',
  copies: { votesByPool: ['operatorAddress', 'proposalId'] },
  columns: {
    proposalId: id('The proposal'),
    operatorAddress: text('The pool'),
    voteHeight: nullable(safeInteger('The height')),
    votingPower: nullable(atto('The power')),
    bondedTokens: amount('The tokens'),
    sha256: text('A digest'),
    version: uint64('The position'),
  },
})

const row: RowOf<typeof poolVotes> = {
  proposalId: '7',
  operatorAddress: 'a',
  voteHeight: 12,
  votingPower: 2n ** 100n,
  bondedTokens: 5n,
  sha256: 'ff',
  version: 9n,
}
const stored: StoredRowOf<typeof poolVotes> = {
  proposal_id: '7',
  operator_address: 'a',
  vote_height: '12',
  voting_power_atto: `${2n ** 100n}`,
  bonded_tokens: '5',
  sha256: 'ff',
  version: '9',
}

describe('a declared table', () => {
  it('has the names of ClickHouse: words with underscores, and amounts in atto with their unit', () => {
    const { name, key, version, copies, columns } = poolVotes
    expect({ name, key, version, copies }).toEqual({
      name: 'pool_votes',
      key: ['proposal_id', 'operator_address'],
      version: 'version',
      copies: { votesByPool: { name: 'votes_by_pool', key: ['operator_address', 'proposal_id'] } },
    })
    expect(columns.map((column) => column.stored)).toEqual(Object.keys(stored))
  })

  it('converts rows in both directions without a loss', () => {
    expect(poolVotes.encode(row)).toEqual(stored)
    expect(poolVotes.decode(stored)).toEqual(row)
    const unknown = { ...row, voteHeight: null, votingPower: null }
    expect(poolVotes.decode(poolVotes.encode(unknown))).toEqual(unknown)
  })

  it('selects all columns, some of them, or all but some', () => {
    expect(poolVotes.all.sql).toBe(Object.keys(stored).join(', '))
    const some = poolVotes.select(['votingPower', 'proposalId'])
    expect(some.sql).toBe('proposal_id, voting_power_atto')
    expect(some.decode(stored)).toEqual({ proposalId: '7', votingPower: 2n ** 100n })
    expect(poolVotes.except(['sha256', 'version']).sql).toBe(
      'proposal_id, operator_address, vote_height, voting_power_atto, bonded_tokens',
    )
  })

  it('selects an expression in place of a column, with the name of the column', () => {
    const shortened = (column: string) => `left(${column}, 3)`
    const { sql } = poolVotes.select(['proposalId', 'operatorAddress'], {
      operatorAddress: shortened,
    })
    expect(sql).toBe('proposal_id, left(operator_address, 3) AS operator_address')
  })

  it('is selected with the columns of the selection, and its rows are decoded', async () => {
    const queries: string[] = []
    const store = {
      select: async <Row>(sql: string) => {
        queries.push(sql)
        return [stored, stored] as Row[]
      },
    }
    const selection = poolVotes.select(['proposalId', 'version'])
    const rows = await selectFrom(store, selection, 'pool_votes FINAL')
    expect(rows).toEqual(Array(2).fill({ proposalId: '7', version: 9n }))
    expect(queries).toEqual(['SELECT proposal_id, version FROM pool_votes FINAL'])
  })
})

it('the declared tables have columns for their keys and versions, and no name twice', () => {
  const tables = Object.values(TABLES)
  const names = tables.flatMap(({ name, copies }) => [
    name,
    ...Object.values<{ name: string }>(copies).map((copy) => copy.name),
  ])
  expect(new Set(names).size).toBe(names.length)
  for (const { name, key, version, columns } of tables) {
    const known = columns.map(({ stored: column }) => column)
    expect(key.length, name).toBeGreaterThan(0)
    expect([...key, ...(version ? [version] : [])].filter((each) => !known.includes(each))).toEqual(
      [],
    )
  }
})
