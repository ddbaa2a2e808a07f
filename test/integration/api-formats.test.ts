// Tests of every list as CSV and NDJSON: the same facts as JSON, read with the CSV parser of ClickHouse.
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { formatCsv } from '../../api/formats/rows.ts'
import { type AnyList, LISTS } from '../../api/resources/operations.ts'
import { formatPath } from '../../api/resources/path-parameters.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { hostileText } from '../support/api/hostile-texts.ts'
import {
  BUSY,
  FREQUENT,
  poolRow,
  positionAt,
  seedListsStory,
  TALLIED_VOTE,
} from '../support/api/lists-story.ts'
import { proposalRow, seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

type Row = Record<string, string | null>

/** The rows of an independent reader; an empty cell without quotes is null. */
const readCsv = async (store: Store, csv: string): Promise<Row[]> => {
  const [head = ''] = csv.split('\r\n', 1)
  const names = head.split(',').map((name) => JSON.parse(name) as string)
  const structure = names.map((name) => `${name} Nullable(String)`).join(', ')
  return await store.select<Row>(
    `SELECT * FROM format(CSVWithNames, '${structure}', '${csv.replace(/['\\]/g, '\\$&')}')`,
    {},
    { settings: { max_query_size: '100000000' } },
  )
}

/** Without the mark that prevents spreadsheets from executing it. */
const unguarded = (cell: string | null | undefined) => cell?.replace(/^'/, '') ?? null

type Schema = {
  properties?: Record<string, Schema>
  additionalProperties?: boolean
  anyOf?: readonly Schema[]
  items?: Schema
}

/** A member of an item that fits into one cell. */
type Member = { path: readonly string[]; schema: Schema }

/** The members of an object with those of objects in it. An object with any members is one of them. */
const listMembers = (schema: Schema, path: readonly string[] = []): Member[] => {
  const { properties, additionalProperties, anyOf } = schema
  if (anyOf) return anyOf.flatMap((each) => listMembers(each, path))
  if (!properties || (additionalProperties && path.length > 0)) return [{ path, schema }]
  return Object.entries(properties).flatMap(([name, each]) => listMembers(each, [...path, name]))
}

/** `submittedAt` → `submitted`, `at`. Without the end of a plural. */
const splitWords = (name: string): string[] =>
  name.split(/(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''))

/** How many words of the path the column leaves out; infinite if it has others, or the same in another order. */
const countOmitted = (column: string, { path }: Member): number => {
  const words = path.flatMap(splitWords)
  let at = 0
  for (const word of splitWords(column)) {
    at = words.indexOf(word, at) + 1
    if (at === 0) return Number.POSITIVE_INFINITY
  }
  return words.length - splitWords(column).length
}

/** The member of each column, by its words: `tallyYes` is `tally.yes`. A column with more words chooses first. */
const findMembers = (columns: readonly string[], item: Schema): Map<string, Member> => {
  const free = new Set(listMembers(item))
  const found = new Map<string, Member>()
  const byWords = columns.toSorted(
    (one, other) => splitWords(other).length - splitWords(one).length,
  )
  for (const column of byWords) {
    const [best] = [...free]
      .filter((member) => Number.isFinite(countOmitted(column, member)))
      .sort((one, other) => countOmitted(column, one) - countOmitted(column, other))
    if (!best) continue
    free.delete(best)
    found.set(column, best)
  }
  return found
}

// biome-ignore lint/suspicious/noExplicitAny: entries of all lists
const toEntryFormat = ({ properties }: Schema): ((entry: any) => string) | undefined => {
  if (!properties) return String
  if ('option' in properties) return ({ option, weight }) => `${option}:${weight}`
  if ('denom' in properties) return ({ amount, denom }) => `${amount}${denom}`
  return undefined
}

const formatCell = (column: string, value: unknown, { items }: Schema): string | null => {
  if (value === undefined || value === null) return null
  const format = items && toEntryFormat(items)
  // Names of authors have spaces.
  if (Array.isArray(value) && format)
    return value.map(format).join(column === 'authors' ? '; ' : ' ')
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`
}

type List = { answer: TSchema | null; columns: object | null }

/** The expected cell of a column for an item of JSON. */
const createCellReader = ({ answer, columns }: List) => {
  const { properties } = answer as unknown as { properties: { items: { items: Schema } } }
  const members = findMembers(Object.keys(columns ?? {}), properties.items.items)
  return (column: string, item: unknown): string | null => {
    const member = members.get(column)
    if (!member) throw new Error(`no member of the items is the column ${column}`)
    // biome-ignore lint/suspicious/noExplicitAny: items of all lists
    const value = member.path.reduce((found: any, name) => found?.[name], item)
    return formatCell(column, value, member.schema)
  }
}

const HOSTILE_TITLE = '=HYPERLINK("https://evil.example","x"),\r\n"quoted"\t投票 \u202e\'+1'

const testStore = useTestStore(async (store) => {
  await seedListsStory(store)
  await seed(store, {
    height: 101,
    pools: [poolRow(BUSY, '4001', { moniker: "-@cmd|' /C calc'!A0", version: positionAt(11) })],
    proposals: [
      proposalRow(400, 101, {
        title: HOSTILE_TITLE,
        metadata: '',
        summary: "'+1",
        authors: ['=Ada', 'Bo Lee'],
      }),
    ],
    marks: [{ id: 400 }],
  })
})

const parseCsv = (csv: string) => readCsv(testStore.store, csv)

/** In the path of a list. */
const VALUES = { proposalId: `${TALLIED_VOTE}`, operatorAddress: BUSY, address: FREQUENT }

const toUrl = ({ path }: AnyList): string => formatPath<string>(path, VALUES)

const named = LISTS.map((list) => [list.operationId, list] as const)
const flat = named.filter(([, { columns }]) => columns !== null)

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const as = (url: string, accept: string, headers: Record<string, string> = {}) =>
    rig.ask(url, { headers: { accept, ...headers } })
  return { ...rig, as }
}

describe('a list', () => {
  it.each(named)(
    '%s has the same items in NDJSON as in JSON',
    { tags: 'api:formats-agree' },
    async (_, list) => {
      const { ask, as } = await setup()
      const url = toUrl(list)
      const json = (await ask(url)).json()
      const lines = await as(url, 'application/x-ndjson')
      expect([lines.status, lines.headers['content-type']]).toEqual([200, 'application/x-ndjson'])
      expect(json.items.length).toBeGreaterThan(0)
      const items = lines.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
      expect(items).toEqual(json.items)
    },
  )

  it.each(flat)(
    '%s has the same values in flat CSV columns as in JSON',
    { tags: 'api:formats-agree' },
    async (_, list) => {
      const { ask, as } = await setup()
      const url = toUrl(list)
      const readCell = createCellReader(list)
      const json = (await ask(url)).json()
      const csv = await as(url, 'text/csv')
      expect([csv.status, csv.headers['content-type']]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ])
      const rows = await parseCsv(csv.text)
      expect(rows).toHaveLength(json.items.length)
      for (const [n, row] of rows.entries()) {
        const item = json.items[n]
        expect(Object.keys(row)).toEqual(Object.keys(list.columns ?? {}))
        for (const [column, cell] of Object.entries(row)) {
          if (column === 'event') expect(JSON.parse(cell ?? '')).toEqual(item)
          else expect([column, unguarded(cell)]).toEqual([column, readCell(column, item)])
        }
      }
    },
  )

  it('has an ETag for each format and coding, 304 with the same fields, and HEAD', async () => {
    const { as, ask } = await setup()
    const etags = new Set<string | undefined>()
    for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
      for (const coding of ['identity', 'br', 'gzip']) {
        const headers = { accept, 'accept-encoding': coding }
        const first = await as('/api/pools', accept, headers)
        const { etag = '', link, 'content-length': length } = first.headers
        etags.add(etag)
        const again = await as('/api/pools', accept, { ...headers, 'if-none-match': etag })
        expect([again.status, again.text, again.headers['link']]).toEqual([304, '', link])
        const head = await ask('/api/pools', { method: 'HEAD', headers })
        expect(head).toMatchObject({ text: '', headers: { etag, 'content-length': length } })
      }
    }
    expect(etags.size).toBe(9)
  })
})

describe('hostile text in CSV', () => {
  it('is never a spreadsheet formula, and is unchanged without its prefix', {
    tags: 'api:csv-has-no-formulas',
  }, async () => {
    const { as } = await setup()
    const [row] = await parseCsv((await as('/api/proposals', 'text/csv')).text)
    expect([row?.['title'], row?.['summary'], row?.['metadata']]).toEqual([
      `'${HOSTILE_TITLE}`,
      "''+1",
      '',
    ])
    const pools = await parseCsv((await as('/api/pools', 'text/csv')).text)
    const moniker = pools.find(({ operatorAddress }) => operatorAddress === BUSY)?.['moniker']
    expect(moniker).toBe("'-@cmd|' /C calc'!A0")
  })

  it('survives a round trip, and null differs from empty text', {
    tags: 'api:csv-has-no-formulas',
  }, async () => {
    const marks = [...'",\n\r\t\'=+-@＝ ', '\r\n', '\\N', '-1']
    const cell = fc.option(hostileText(marks))
    const rows = fc.sample(fc.tuple(cell, cell, cell), 3_000)
    const read = await parseCsv(formatCsv(['a', 'b', 'c'], rows))
    expect(read.map(({ a, b, c }) => [a, b, c].map(unguarded))).toEqual(rows)
    const dangerous = read
      .flatMap((row) => Object.values(row))
      .filter((each) => /^[=+\-@\t\r\n＝＋－＠]/.test(each ?? ''))
    expect(dangerous.filter((each) => !/^-?[0-9]+(\.[0-9]+)?$/.test(each ?? ''))).toEqual([])
  })
})
