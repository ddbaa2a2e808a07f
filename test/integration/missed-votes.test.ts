// Tests that a missed vote means the same in every place: events, views, notebook, API and pages of the demo chain.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isCounted } from '../../ingest/contract/delegation.ts'
import type { PoolState } from '../../ingest/contract/facts.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { type AnalystRig, startAnalystRig } from '../support/store/analyst-rig.ts'

const readText = (path: string): string =>
  readFileSync(new URL(`../../projections/${path}`, import.meta.url), 'utf8')

let rig: AnalystRig
let api: Awaited<ReturnType<typeof createApiRig>>
beforeAll(async () => {
  rig = await startAnalystRig()
  api = await createApiRig(rig.store)
})
afterAll(async () => {
  await api?.close()
  await rig?.stop()
})

type Counts = Record<string, number>
type Pool = { operatorAddress: string; proposalsVoted: number; proposalsMissed: number }
type Item = { proposalId: string; round: number; vote: unknown; missed: boolean }
type Pages = { items: Item[]; participation: object; links: { next: string | null } }

const readPools = async (): Promise<Pool[]> => (await api.ask('/api/pools')).json().items

const readRecord = async (operator: string): Promise<Item[]> => {
  const items: Item[] = []
  for (let url: string | null = `/api/pools/${operator}/votes`; url !== null; ) {
    const page: Pages = (await api.ask(url)).json()
    items.push(...page.items)
    url = page.links.next
  }
  return items
}

const countBy = (rows: readonly { pool: string; missed: string | number }[]): Counts =>
  Object.fromEntries(rows.map(({ pool, missed }) => [pool, Number(missed)]))

const withoutZeros = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

const toOperator = (row: object): string =>
  Object.entries(row).find(([name]) => /^operator_?address$/i.test(name))?.[1]

const readView = (): Promise<Item[]> =>
  rig.analyst.select(
    'SELECT operator_address, toString(proposal_id) AS proposalId, round FROM rollcall.v_missed_votes',
  )

/** From the evidence of the last tally alone, without a table that the fold derives. */
const countFromEvidence = async (): Promise<Counts> => {
  type Evidence = {
    proposalId: string
    round: number
    pools: PoolState[]
    ballots: { voter: string }[]
  }
  const rows = await rig.analyst.select<{ data: string }>(
    "SELECT data FROM rollcall.v_events WHERE type = 'rollcall.round.read.v1' AND JSONExtractBool(data, 'final')",
  )
  const chunks = rows.map(({ data }): Evidence => JSON.parse(data))
  const proposals = await rig.analyst.select<{ id: string; round: number }>(
    "SELECT toString(proposal_id) AS id, round FROM rollcall.v_proposals WHERE status IN ('passed', 'rejected', 'failed')",
  )
  const counts: Counts = {}
  for (const { id, round } of proposals) {
    const tally = chunks.filter((chunk) => chunk.proposalId === id && chunk.round === round)
    const voters = new Set(tally.flatMap(({ ballots }) => ballots.map(({ voter }) => voter)))
    for (const pool of tally.flatMap(({ pools }) => pools)) {
      if (!isCounted(pool) || voters.has(pool.accountAddress)) continue
      counts[pool.operatorAddress] = (counts[pool.operatorAddress] ?? 0) + 1
    }
  }
  return counts
}

describe('a missed vote', { tags: 'projections:missed-votes' }, () => {
  it('is a last tally that counted the pool without a vote of its operator', async () => {
    const pools = await readPools()
    const served = pools.map((pool) => ({
      pool: pool.operatorAddress,
      missed: pool.proposalsMissed,
    }))
    const counts = withoutZeros(countBy(served))
    expect(Object.keys(counts).length).toBeGreaterThan(20)
    expect(counts).toEqual(await countFromEvidence())
  })

  it('is a row of the record of its pool, of its page and of the view', async () => {
    const view = await readView()
    expect(view.length).toBeGreaterThan(50)
    for (const { operatorAddress, proposalsMissed, proposalsVoted } of await readPools()) {
      const record = await readRecord(operatorAddress)
      const missed = record.filter((item) => item.missed)
      expect(missed.filter(({ vote }) => vote !== null)).toEqual([])
      expect(missed, operatorAddress).toHaveLength(proposalsMissed)
      const inView = view.filter(
        (row) => 'operator_address' in row && row.operator_address === operatorAddress,
      )
      const toNames = (items: readonly Item[]) =>
        items.map(({ proposalId, round }) => `${proposalId}/${round}`).sort()
      expect(toNames(inView)).toEqual(toNames(missed))
      const voted = new Set(record.filter(({ vote }) => vote).map((item) => item.proposalId))
      for (const { proposalId } of missed) voted.delete(proposalId)
      expect(voted.size).toBe(proposalsVoted)
      const markdown = await api.ask(`/pools/${operatorAddress}`, {
        headers: { accept: 'text/markdown' },
      })
      expect(markdown.text.match(/\| \*\*Missed\*\* \|/g) ?? []).toHaveLength(proposalsMissed)
      const html = await api.ask(`/pools/${operatorAddress}`, { headers: { accept: 'text/html' } })
      expect(html.text.match(/<strong>Missed<\/strong>/g) ?? []).toHaveLength(proposalsMissed)
    }
  })

  it('has the same number per pool in the document and the notebook as in the API', async () => {
    const served = (await readPools()).map((pool) => ({
      pool: pool.operatorAddress,
      missed: pool.proposalsMissed,
    }))
    const [, documented = ''] =
      /^## Which bonded pools miss votes\?[\s\S]*?```sql\n([\s\S]*?)\n```/m.exec(
        readText('ANALYSTS.md'),
      ) ?? []
    const rows = await rig.analyst.select<{ operator_address: string; missed: string }>(documented)
    expect(rows.length).toBeGreaterThan(20)
    const inDocument = rows.map((row) => ({ pool: row.operator_address, missed: row.missed }))
    expect(countBy(served)).toMatchObject(countBy(inDocument))
    const cells: { source: string[] }[] = JSON.parse(readText('examples/governance.ipynb')).cells
    const asked = cells[cells.findIndex(({ source }) => /miss votes/.test(source.join(''))) + 1]
    const [, sql = ''] = /ask\('''([\s\S]*)'''\)/.exec(asked?.source.join('') ?? '') ?? []
    const shown = await rig.analyst.select<{ operator_address: string; missed: string }>(
      sql.replaceAll(' v_', ' rollcall.v_'),
    )
    expect(shown).toHaveLength(10)
    const inNotebook = shown.map((row) => ({ pool: row.operator_address, missed: row.missed }))
    expect(countBy(served)).toMatchObject(countBy(inNotebook))
  })

  it('is a row of the votes with voted=false, and no other closed vote has one', async () => {
    type Vote = { pool: { operatorAddress: string }; vote: unknown; votingPower: string }
    const view = await readView()
    const { items: proposals } = (await api.ask('/api/proposals')).json()
    for (const { proposalId: id, status } of proposals) {
      const read = async (voted: boolean) => {
        const answer = await api.ask(`/api/proposals/${id}/votes?voted=${voted}`)
        const { items, page, votedReason } = answer.json()
        expect([page.totalItems, votedReason], id).toEqual([items.length, null])
        return items as Vote[]
      }
      if (!['passed', 'rejected', 'failed'].includes(status)) continue
      const [voted, silent] = [await read(true), await read(false)]
      expect(silent.filter(({ vote }) => vote !== null)).toEqual([])
      expect(voted.filter(({ vote }) => vote === null)).toEqual([])
      const powers = silent.map(({ votingPower }) => Number(votingPower))
      expect(powers).toEqual(powers.toSorted((one, other) => other - one))
      const missed = view.filter(({ proposalId }) => proposalId === id)
      const toNames = (rows: readonly object[]) =>
        rows
          .map((row) => ('pool' in row ? (row as Vote).pool : row))
          .map(toOperator)
          .sort()
      expect(toNames(silent), id).toEqual(toNames(missed))
      const csv = await api.ask(`/api/proposals/${id}/votes?voted=false&format=csv`)
      expect(csv.text.trim().split('\r\n')).toHaveLength(silent.length + 1)
    }
  })

  it('is a state of the votes of many pools, by name, address or account', async () => {
    type Report = { proposalId: string; votes: string[]; details: { operatorAddress: string }[] }
    const pools: (Pool & { accountAddress: string; moniker: string; counted: boolean })[] = (
      await api.ask('/api/pools')
    ).json().items
    const read = async (names: readonly string[]) => {
      const answer = await api.ask(`/api/votes?pools=${encodeURIComponent(names.join(','))}`)
      return { status: answer.status, ...answer.json() }
    }
    const named = pools.filter(({ moniker }) => !/,/.test(moniker)).slice(0, 50)
    const byName = await read(named.map(({ moniker }) => moniker))
    const byAddress = await read(named.map(({ operatorAddress }) => operatorAddress))
    const byAccount = await read(named.map(({ accountAddress }) => accountAddress.toUpperCase()))
    expect(byAddress.items).toEqual(byAccount.items)
    if (byName.status === 200) expect(byAddress.items).toEqual(byName.items)
    const all = await read(['bonded'])
    expect(all.pools).toHaveLength(pools.filter(({ counted }) => counted).length)
    expect(all.items.length).toBeGreaterThan(10)
    for (const { proposalId: id, votes } of all.items as Report[]) {
      const ask = async (voted: boolean) => {
        const { items } = (await api.ask(`/api/proposals/${id}/votes?voted=${voted}`)).json()
        return new Set(items.map((item: { pool: object }) => toOperator(item.pool)))
      }
      const [voted, silent] = [await ask(true), await ask(false)]
      for (const [at, state] of votes.entries()) {
        const operator = all.pools[at].operatorAddress
        expect(voted.has(operator), `${id} ${operator}`).toBe(
          /yes|no$|abstain|veto|split/.test(state),
        )
        expect(silent.has(operator), `${id} ${operator}`).toBe(/missed|not_yet/.test(state))
      }
    }
    expect((await read(['no pool has this name'])).status).toBe(404)
    expect((await read(Array(51).fill('x'))).status).toBe(400)
    expect((await api.ask('/api/votes')).json().items).toEqual(all.items)
  })

  it('is shown on the page of its proposal', async () => {
    const view = await readView()
    for (const id of new Set(view.map(({ proposalId }) => proposalId))) {
      const { text } = await api.ask(`/proposals/${id}`, { headers: { accept: 'text/html' } })
      const count = view.filter(({ proposalId }) => proposalId === id).length
      expect(text, id).toMatch(
        new RegExp(`\\b${count} validators? (?:was|were) in the tally and did not vote`),
      )
    }
  })
})
