// Tests the cursors of pages that end early.
import { expect, test } from 'vitest'
import type { AnswerBounds } from '../../../../api/read/query.ts'
import { completePage } from '../../../../api/resources/list-envelope.ts'
import { createStartPattern, parseStart } from '../../../../api/resources/list-start.ts'
import { createAsOf } from '../../../../api/schemas/common.ts'
import { estimateTokens } from '../../../../api/size.ts'

const ITEMS = Array.from({ length: 10 }, (_, n) => ({ n, text: 'x'.repeat(400) }))
type Answered = {
  items: { n: number }[]
  page: { number: number | null; nextCursor: string | null }
  links: { next: string | null }
}

const complete = (at: string | undefined, bounds: AnswerBounds): Answered => {
  const start = at === undefined ? { page: 2, skip: 0 } : parseStart(at)
  const page = { items: ITEMS.slice(start.skip), total: 40, next: 'after', extra: undefined }
  return completePage(page, {
    paging: 'numbered',
    size: 10,
    start,
    address: { path: '/api/items', filters: [] },
    asOf: createAsOf('chain-1', 1, '2026-01-01T00:00:00.000Z'),
    bounds,
    toCursor: (text) => text,
    toJson: JSON.stringify,
    getWholePath: () => undefined,
  }) as Answered
}

test('Cursors of pages that end early lead to each item once, and then to the next page.', () => {
  const seen: number[] = []
  let at: string | undefined
  for (;;) {
    const { items, page, links } = complete(at, { maxTokens: 700 })
    expect(estimateTokens(JSON.stringify(items))).toBeLessThanOrEqual(700)
    seen.push(...items.map(({ n }) => n))
    if (page.nextCursor === 'after') break
    expect(links.next).toBe(`/api/items?${new URLSearchParams({ cursor: `${page.nextCursor}` })}`)
    at = page.nextCursor ?? undefined
  }
  expect(seen).toEqual(ITEMS.map(({ n }) => n))
})

test('A page whose items fit has its number, and the next page by number follows.', () => {
  const { page, links } = complete(undefined, { maxTokens: 100_000 })
  expect(page).toMatchObject({ number: 2, nextCursor: 'after' })
  expect(links.next).toBe('/api/items?page=3')
})

test('A page has at most the requested number of items, and the rest follows by cursor.', () => {
  const { items, page } = complete(undefined, { maxTokens: 100_000, maxItems: 4 })
  expect(items.map(({ n }) => n)).toEqual([0, 1, 2, 3])
  const next = complete(page.nextCursor ?? '', { maxTokens: 100_000, maxItems: 4 })
  expect(next.items.map(({ n }) => n)).toEqual([4, 5, 6, 7])
})

test('A cursor has one form for each start.', () => {
  const pattern = createStartPattern(/^[1-9][0-9]{0,6}00$/)
  for (const text of ['100', '100+7', 'p0+7', 'p12+1']) expect(text).toMatch(pattern)
  for (const text of ['p0', '107', '100+0', '100+07', 'p01+1', '+1', '100+1+1', 'p1+']) {
    expect(text).not.toMatch(pattern)
  }
})
