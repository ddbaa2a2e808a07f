// The Parquet files of /data: they have the rows of one height, exactly as the API has them, and are served whole or in ranges.
import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { openRecording, type Recording } from '../../infra/app/demo/recording.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { createApiRig, expectProblem, walkPages } from '../support/api/api-rig.ts'
import { projectDemoChain } from '../support/api/demo-store.ts'
import { openTestRecording } from '../support/chain/test-recording.ts'
import { createMovableClock } from '../support/fold/rebuild-rig.ts'
import {
  clearReadModel,
  proposalRow,
  replaceRows,
  seed,
  seedRows,
  tallyRow,
} from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const listen = async (store: Store, changes: Parameters<typeof createApiRig>[1] = {}) => {
  const clock = createMovableClock()
  const rig = await createApiRig(store, changes, clock)
  const url = await rig.app.listen({ port: 0, host: '127.0.0.1' })
  const read = <Row>(path: string, sql = '*', rest = ''): Promise<Row[]> =>
    store.select<Row>(`SELECT ${sql} FROM url('${url}/data/${path}', 'Parquet') ${rest}`)
  return { ...rig, clock, url, read }
}
type Rig = Awaited<ReturnType<typeof listen>>

type ListedTable = { name: string; files: { url: string; kind: string; rows: number | null }[] }

/** The list waits for files that are being written, but not for long. */
const listFiles = async (rig: Rig): Promise<ListedTable[]> => {
  const { tables }: { tables: ListedTable[] } = (await rig.ask('/api/data')).json()
  const isComplete = tables.every(({ files }) =>
    files.every(({ kind, rows }) => rows !== null || (kind === 'whole' && files.length > 1)),
  )
  return isComplete ? tables : listFiles(rig)
}

const CLOSED = ['passed', 'rejected', 'failed']

// biome-ignore lint/suspicious/noExplicitAny: items of any list
const readAll = async ({ get }: Rig, first: string): Promise<any[]> =>
  (await walkPages(get, first)).flatMap(({ items }) => items)

/** To 18 decimals. */
const toAtto = (amount: string): bigint => {
  const [units = '', decimals = ''] = amount.split('.')
  return BigInt(units + decimals.padEnd(18, '0'))
}

const sumPowers = (ballots: { votingPower: string | null }[]): bigint =>
  ballots.reduce((sum, { votingPower }) => sum + toAtto(votingPower ?? '0'), 0n)

type Sums = { id: string; rows: string; power: string }

const expectSameSums = async (rig: Rig): Promise<number> => {
  const proposals = (await readAll(rig, '/api/proposals')).filter(({ status }) =>
    CLOSED.includes(status),
  )
  const tallies = await rig.read<Record<string, string>>('tallies.parquet')
  const ballots = await rig.read<Sums>(
    'ballots.parquet',
    'proposal_id AS id, count() AS rows, toString(sum(toDecimal256(voting_power, 18))) AS power',
    'GROUP BY id, round',
  )
  const votes = await rig.read<Sums>(
    'votes.parquet',
    'proposal_id AS id, count() AS rows',
    'GROUP BY id',
  )
  const deposits = await rig.read<{ id: string; denom: string; amount: string }>(
    'deposits.parquet',
    'proposal_id AS id, denom, toString(sum(amount)) AS amount',
    'GROUP BY id, denom ORDER BY denom',
  )
  for (const { proposalId: id, round, tally, totalDeposit } of proposals) {
    const path = `/api/proposals/${id}`
    const [found] = tallies.filter(
      (each) => each['proposal_id'] === id && Number(each['round']) === round,
    )
    expect(found, id).toMatchObject({
      yes: tally.yes,
      no: tally.no,
      abstain: tally.abstain,
      no_with_veto: tally.noWithVeto,
      bonded_tokens: tally.bondedTokens,
      voted_tokens: tally.votingPower,
      ballots: tally.ballots,
    })
    for (let each = 1; each <= round; each++) {
      const items = await readAll(rig, `${path}/ballots?round=${each}`)
      const sums = ballots
        .filter((sum) => sum.id === id)
        .map(({ rows, power }) => [Number(rows), toAtto(power)])
      expect(sums, id).toContainEqual([items.length, sumPowers(items)])
    }
    const cast = (await readAll(rig, `${path}/events`)).filter(({ type }) =>
      type.includes('vote.cast'),
    )
    expect(Number(votes.find((sum) => sum.id === id)?.rows ?? 0), id).toBe(cast.length)
    const paid = deposits
      .filter((sum) => sum.id === id)
      .map(({ denom, amount }) => ({ denom, amount }))
    if (paid.length > 0) expect(paid, id).toEqual(totalDeposit)
  }
  return proposals.length
}

const fill = async (recording: Recording): Promise<void> => {
  await clearReadModel(testStore.store)
  await projectDemoChain(testStore.store, recording)
}

const compareSums = async (): Promise<void> => {
  const rig = await listen(testStore.store)
  expect(await expectSameSums(rig)).toBeGreaterThan(5)
  await rig.close()
}
const SUMS = 'have the sums of the API for each closed proposal'

beforeAll(() => fill(openTestRecording()))

describe('the files of a recorded chain', () => {
  it(SUMS, { tags: 'api:files-equal-pages' }, compareSums)

  it('have the same bytes on every instance, whatever merged, and are listed with their SHA-256', async () => {
    const [one, other] = [await listen(testStore.store), await listen(testStore.store)]
    const tables = await listFiles(one)
    await replaceRows(testStore.store)
    expect(tables).toHaveLength(6)
    for (const { name, files } of tables) {
      const path = `/data/${name}.parquet`
      const [first, second] = [await one.ask(path), await other.ask(path)]
      expect(first.bytes.equals(second.bytes), name).toBe(true)
      const sha256 = createHash('sha256').update(first.bytes).digest('hex')
      expect(files).toMatchObject([{ url: path, kind: 'whole', sha256, bytes: first.bytes.length }])
      expect(first.headers.etag).toBe(`"${sha256}"`)
    }
    await one.close()
    await other.close()
  })

  it('have each row in one part, and the parts of closed proposals never change', async () => {
    const rig = await listen(testStore.store, { partRows: 300 })
    const listed = await listFiles(rig)
    for (const name of ['votes', 'ballots']) {
      const [whole, ...parts] = listed.find((table) => table.name === name)?.files ?? []
      // It is written for those who read it.
      expect(whole).toMatchObject({ kind: 'whole', rows: null })
      const [last, ...closedParts] = parts.toReversed()
      expect(new Set(closedParts.map(({ kind }) => kind))).toEqual(new Set(['closed']))
      const url = expect.stringContaining('/open-1-0')
      expect(last).toMatchObject({ kind: 'open', url })
      expect(parts.length).toBeGreaterThan(4)
      const [all] = await rig.read<{ rows: string }>(`${name}.parquet`, 'count() AS rows')
      expect(parts.reduce((sum, { rows }) => sum + (rows ?? 0), 0)).toBe(Number(all?.rows))
      const closed = await rig.ask(parts[0]?.url ?? '')
      expect(closed.headers['cache-control']).toBe('public, max-age=86400, immutable')
    }
    expectProblem(await rig.ask('/data/votes/closed-1-9999.parquet'), 404, 'data-file-not-found')
    expectProblem(await rig.ask('/data/votes/open-1-0000.parquet'), 404, 'data-file-not-found')
    await rig.close()
  })
})

describe('a file', () => {
  const PATH = '/data/tallies.parquet'

  it('is served whole, in one range, or not again', async () => {
    const rig = await listen(testStore.store)
    const whole = await rig.ask(PATH)
    const { etag = '', ...headers } = whole.headers
    const size = whole.bytes.length
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'accept-ranges': 'bytes',
      'content-length': `${size}`,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'rollcall-as-of-height': expect.stringMatching(/^\d+$/),
    })
    const ask = (fields: Record<string, string>, method = 'GET') =>
      rig.ask(PATH, { headers: fields, method })
    for (const [range, start, end] of [
      ['bytes=10-', 10, size - 1],
      ['bytes=-4', size - 4, size - 1],
      [`bytes=1-${size + 100}`, 1, size - 1],
      [`bytes=-${size + 100}`, 0, size - 1],
    ] as const) {
      for (const fields of [{ range }, { range, 'if-range': etag }]) {
        const part = await ask(fields)
        const contentRange = `bytes ${start}-${end}/${size}`
        expect([part.status, part.headers['content-range']]).toEqual([206, contentRange])
        expect(part.bytes.equals(whole.bytes.subarray(start, end + 1)), range).toBe(true)
      }
    }
    // Several ranges, malformed ones, and those of another version.
    for (const fields of [
      { range: 'bytes=0-1,3-4' },
      { range: 'bytes=4-2' },
      { range: 'lines=0-3' },
      { range: 'bytes=0-3', 'if-range': '"other"' },
      { range: 'bytes=0-3', 'if-range': `W/${etag}` },
    ]) {
      const answer = await ask(fields)
      expect([answer.status, answer.bytes.length], fields.range).toEqual([200, size])
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const none = await ask({ range })
      expectProblem(none, 416, 'range-not-satisfiable')
      expect(none.headers['content-range']).toBe(`bytes */${size}`)
    }
    const known = await ask({ 'if-none-match': etag, range: 'bytes=0-3' })
    expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, etag])
    const head = await ask({}, 'HEAD')
    expect([head.bytes.length, head.headers['content-length']]).toEqual([0, `${size}`])
    expect((await rig.ask('/data')).headers.location).toBe('/data/')
    expectProblem(await rig.ask('/data/secrets.parquet'), 404, 'data-file-not-found')
    const preflight = await rig.ask(PATH, { method: 'OPTIONS' })
    expect(preflight.headers['access-control-allow-headers']).toMatch(/If-Range,.*Range/)
    await rig.close()
  })

  it('stays readable when clients disconnect in its middle', async () => {
    const rig = await listen(testStore.store)
    const path = '/data/ballots.parquet'
    const whole = await rig.ask(path)
    const disconnect = () =>
      new Promise<void>((resolve) => {
        const request = get(`${rig.url}${path}`, (response) => {
          response.once('data', () => request.destroy())
        })
        request.once('close', resolve).once('error', () => undefined)
      })
    for (let round = 0; round < 5; round++) {
      await Promise.all([disconnect(), disconnect(), disconnect()])
      const again = await rig.ask(path)
      expect([again.status, again.bytes.equals(whole.bytes)]).toEqual([200, true])
    }
    await rig.close()
  })

  it('is refused if the disk for files is full, and older files make room', async () => {
    const small = await listen(testStore.store, { filesBytes: 300_000 })
    const readStatus = async (name: string) => (await small.ask(`/data/${name}.parquet`)).status
    for (const name of ['votes', 'ballots', 'tallies']) expect(await readStatus(name)).toBe(200)
    // It made room, and is not written more than once a minute.
    expect(await readStatus('votes')).toBe(503)
    small.clock.aheadMs += 60_000
    expect(await readStatus('votes')).toBe(200)
    await small.close()
    const least = await listen(testStore.store, { filesBytes: 100_000 })
    expectProblem(await least.ask('/data/votes.parquet'), 503, 'overloaded')
    expect((await least.ask(PATH)).status).toBe(200)
    await least.close()
  })

  it('has the rows of the checkpoint, is written once a minute at most, and is never older', {
    tags: 'api:files-equal-pages',
  }, async () => {
    const { store } = testStore
    await clearReadModel(store)
    const commit = (height: number, yes: string) => ({
      height,
      proposals: [proposalRow(1, height)],
      tallies: [tallyRow(1, height, { yes })],
      marks: [{ id: 1 }],
    })
    await seed(store, commit(10, '100'))
    const rig = await listen(store)
    const readYes = async () => {
      await rig.state.refresh()
      const rows = await rig.read<{ yes: string }>('tallies.parquet', 'toString(yes) AS yes')
      const { headers } = await rig.ask(PATH, { method: 'HEAD' })
      return [...rows.map(({ yes }) => yes), headers['rollcall-as-of-height']]
    }
    // Of a commit without a checkpoint.
    await seedRows(store, commit(11, '111'))
    expect(await readYes()).toEqual(['100', '10'])
    await seed(store, commit(11, '111'))
    rig.clock.aheadMs += 59_000
    expect(await readYes()).toEqual(['100', '10'])
    rig.clock.aheadMs += 1_000
    expect(await readYes()).toEqual(['111', '11'])
    // What has not changed is as of the served height.
    await seed(store, { height: 12 })
    expect(await readYes()).toEqual(['111', '12'])
    // A merge has replaced the served row, so no file has one state until the commit is complete.
    await seedRows(store, commit(14, '114'))
    await replaceRows(store)
    await seed(store, { height: 13, marks: [{ id: 1 }] })
    await rig.state.refresh()
    rig.clock.aheadMs += 60_000
    expectProblem(await rig.ask(PATH), 503, 'settling')
    await seed(store, commit(14, '114'))
    expect(await readYes()).toEqual(['114', '14'])
    await rig.close()
  })

  it('has an amount of more than 38 digits as text', async () => {
    const { store } = testStore
    await clearReadModel(store)
    const [fits, large] = ['9'.repeat(38), `1${'0'.repeat(38)}`]
    const tallies = [tallyRow(1, 10, { yes: fits, no: large, abstain: null })]
    await seed(store, { height: 10, proposals: [proposalRow(1, 10)], tallies, marks: [{ id: 1 }] })
    const rig = await listen(store)
    const columns = 'toString(yes) AS yes, yes_text, no, no_text, abstain, abstain_text'
    expect(await rig.read('tallies.parquet', columns)).toEqual([
      { yes: fits, yes_text: null, no: null, no_text: large, abstain: null, abstain_text: null },
    ])
    await rig.close()
  })
})

describe('the files of the demo chain', () => {
  beforeAll(() => fill(openRecording()))

  it(SUMS, { tags: 'api:files-equal-pages' }, compareSums)
})
