// Tests which values fit a column, and how they are stored.
import { describe, expect, it } from 'vitest'
import {
  amount,
  atto,
  bool,
  type ColumnType,
  clockTime,
  decimal,
  id,
  label,
  list,
  nullable,
  safeInteger,
  text,
  time,
  uint16,
  uint32,
  uint64,
} from '../../../../../projections/contract/table/column-types.ts'
import { tuple } from '../../../../../projections/contract/table/record.ts'

describe('a column', () => {
  it.each<[string, ColumnType, unknown[], unknown[]]>([
    ['UInt16', uint16(''), [0, 65_535], [65_536, -1, 1.5, '1', null]],
    ['UInt32', uint32(''), [0, 2 ** 32 - 1], [2 ** 32, Number.NaN, undefined]],
    ['UInt64', id(''), ['0', `${2n ** 64n - 1n}`], [`${2n ** 64n}`, '-1', '1.0', '', 7]],
    ['UInt64', safeInteger(''), [0, 2 ** 53 - 1], [2 ** 53, -1, 0.5, Number.NaN, '7', null]],
    ['UInt64', uint64(''), [0n, 2n ** 64n - 1n], [2n ** 64n, -1n, 7, '7']],
    ['UInt256', amount(''), [2n ** 256n - 1n], [2n ** 256n, -1n, 'abc', null]],
    ['Int256', atto(''), [-(2n ** 255n), 2n ** 255n - 1n], [2n ** 255n, -(2n ** 255n) - 1n]],
    ['Decimal(76, 18)', decimal(''), ['0', '-7.5', '9'.repeat(58)], ['9'.repeat(59), '1.', '.5']],
    ["DateTime64(9, 'UTC')", time(''), ['2026-11-21 08:00:00.000000000'], ['2026-02-30 08:00:00']],
    ["DateTime64(3, 'UTC')", clockTime(''), ['2026-11-21 08:00:00.123'], ['yesterday', 7]],
    ['Bool', bool(''), [true, false], [1, 'true', null]],
    ['String', text(), ['', 'Größe'], [7, null]],
    ['LowCardinality(String)', label(''), ['yes'], [undefined]],
    ['Nullable(UInt64)', nullable(id('')), [null, '7'], [undefined, 'x']],
    ['LowCardinality(Nullable(String))', nullable(label('')), [null, 'x'], [7]],
    ['Array(String)', list(text(), ''), [[], ['a']], ['a', [7], null]],
    [
      'Tuple(operator_address String, power_atto Nullable(Int256))',
      tuple({ operatorAddress: text(), power: nullable(atto()) }),
      [{ operatorAddress: 'a', power: null }],
      [{ operatorAddress: 'a' }, { operatorAddress: 'a', power: 'x' }, null],
    ],
  ])(
    'of type %s has exactly the values that ClickHouse stores unchanged',
    (sql, type, ...values) => {
      expect(type.sql).toBe(sql)
      const [fitting, others] = values
      expect(fitting.filter((value) => !type.fits(value))).toEqual([])
      expect(others.filter((value) => type.fits(value))).toEqual([])
    },
  )

  it('stores integers of 64 bits and more as digits, and null as null', () => {
    const large = 2n ** 200n
    expect(amount('').encode?.(large)).toBe(`${large}`)
    expect(nullable(atto()).encode?.(-large)).toBe(`${-large}`)
    expect(nullable(atto()).encode?.(null)).toBeNull()
    expect(nullable(atto()).decode?.(`${-large}`)).toBe(-large)
    expect(nullable(atto()).decode?.(null)).toBeNull()
    expect(safeInteger('').encode?.(12)).toBe('12')
    expect(safeInteger('').decode?.('12')).toBe(12)
  })

  it('converts nothing if its values are stored as they are', () => {
    const coin = tuple({ denom: text(), amount: text() })
    for (const type of [text(), bool(''), nullable(time('')), coin, list(coin, '')]) {
      expect(type).not.toHaveProperty('encode')
      expect(type).not.toHaveProperty('decode')
    }
  })

  it('converts the names of a tuple in a list', () => {
    const delegations = list(tuple({ operatorAddress: text(), votingPower: nullable(atto()) }), '')
    const value = [
      { operatorAddress: 'a', votingPower: 5n },
      { operatorAddress: 'b', votingPower: null },
    ]
    const stored = [
      { operator_address: 'a', voting_power_atto: '5' },
      { operator_address: 'b', voting_power_atto: null },
    ]
    expect(delegations.encode?.(value)).toEqual(stored)
    expect(delegations.decode?.(stored)).toEqual(value)
  })
})
