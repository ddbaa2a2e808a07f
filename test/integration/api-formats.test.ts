// Tests of every list as CSV and NDJSON: the same facts as JSON, read with the CSV parser of ClickHouse.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCsv } from '../../api/formats/rows.ts'
import { type AnyList, LISTS } from '../../api/resources/operations.ts'
import { formatPath } from '../../api/resources/path-parameters.ts'
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
import { createCellReader, readCsv, unguarded } from '../support/api/read-csv.ts'
import { proposalRow, seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

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
