// Tests that long texts and lists of others are shortened, and that pages fit.
import { expect, test } from 'vitest'
import {
  fitItems,
  inBytes,
  inTokens,
  MAX_ITEM_BYTES,
  shortenItem,
  shortenTexts,
} from '../../../../api/words/shortened.ts'

const WHOLE = '/api/proposals/1'
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const withLines = <Item>(items: readonly Item[]) => ({
  items,
  lines: items.map((item) => JSON.stringify(item)),
})

test('A title of 2 MB is shortened, and the item links to the whole.', {
  tags: 'api:answers-are-bounded',
}, () => {
  const { item: shortened } = shortenItem({ title: 'é'.repeat(1_000_000), proposalId: '1' }, WHOLE)
  expect(shortened).toMatchObject({ proposalId: '1', truncated: true, wholeAt: WHOLE })
  expect(shortened.title).toHaveLength(1_000)
  expect(shortened.title.endsWith('…')).toBe(true)
})

test('The monikers of many pools are shortened where they are not items of a list.', {
  tags: 'api:answers-are-bounded',
}, () => {
  const pools = Array.from({ length: 100 }, () => ({ moniker: 'x'.repeat(65_536), tokens: 1n }))
  const { powerMap } = shortenTexts({ powerMap: { pools } })
  expect(powerMap.pools.map(({ moniker }) => moniker.length)).toEqual(Array(100).fill(256))
  expect(powerMap.pools[0]?.tokens).toBe(1n)
})

test.each([
  [
    'many delegations',
    { delegations: Array.from({ length: 5_000 }, (_, n) => ({ shares: `${n}` })) },
  ],
  ['a text without a limit of its own', { status: 'x'.repeat(1_000_000) }],
  ['control characters, which take six bytes each', { summary: '\u0001'.repeat(16_000) }],
  [
    'long texts in a nested list',
    { a: [{ b: Array.from({ length: 50 }, () => 'x'.repeat(9_000)) }] },
  ],
])('An item with %s fits into 64 KiB.', { tags: 'api:answers-are-bounded' }, (_what, item) => {
  const { item: shortened, line } = shortenItem<object>(item, WHOLE)
  expect(line).toBe(JSON.stringify(shortened))
  expect(sizeOf(shortened)).toBeLessThanOrEqual(MAX_ITEM_BYTES)
  expect(shortened).toMatchObject({ truncated: true, wholeAt: WHOLE })
})

type Fit = Parameters<typeof fitItems>[1]
const fitInto = <Item extends object>(
  items: readonly Item[],
  limit: Fit['limit'],
  excess: Fit['excess'],
) => fitItems(withLines(items), { limit, excess, getWholePath: () => WHOLE }).items

test('A page by number keeps all its items and shortens the ones above their share.', {
  tags: 'api:answers-are-bounded',
}, () => {
  const items = [{ text: 'x'.repeat(50_000) }, { text: 'short' }, { text: 'y'.repeat(50_000) }]
  const fitted = fitInto(items, inBytes(12_000), 'shortens items')
  expect(fitted).toHaveLength(3)
  expect(fitted[1]).toBe(items[1])
  expect(fitted[0]).toMatchObject({ truncated: true })
  expect(sizeOf(fitted)).toBeLessThanOrEqual(12_000)
})

test('A page by cursor ends before the item that does not fit, and has at least one.', {
  tags: 'api:answers-are-bounded',
}, () => {
  const items = ['x'.repeat(600), 'y'.repeat(600), 'z'].map((text) => ({ text }))
  expect(fitInto(items, inBytes(10_000), 'ends the page')).toEqual(items)
  expect(fitInto(items, inBytes(1_000), 'ends the page')).toEqual(items.slice(0, 1))
  expect(fitInto(items, inBytes(300), 'ends the page')).toMatchObject([{ truncated: true }])
})

test('A page for a model has shorter texts first, and ends early only after that.', {
  tags: 'api:answers-are-bounded',
}, () => {
  const summary = 'word '.repeat(2_000)
  const items = Array.from({ length: 20 }, (_, n) => ({ id: `${n}`, summary }))
  expect(fitInto(items, inTokens(100_000), 'shortens texts')).toEqual(items)
  const shortened = fitInto(items, inTokens(4_000), 'shortens texts')
  expect(shortened).toHaveLength(20)
  expect(shortened[0]).toMatchObject({ id: '0', truncated: true, wholeAt: WHOLE })
  expect(shortened[0]?.summary).toHaveLength(500)
  const few = fitInto(items, inTokens(700), 'shortens texts')
  expect(few.length).toBeLessThan(20)
  expect(few[0]?.summary).toHaveLength(160)
})
