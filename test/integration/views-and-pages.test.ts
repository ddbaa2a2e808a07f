// Tests that turnout, missed votes and the words beside a vote are the same in events, views, API and pages of the recorded chain.
import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TurnoutPage } from '../../api/schemas/turnout.ts'
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

const get = async (url: string) => (await api.ask(url)).json()
const readPage = async (path: string, accept: 'text/html' | 'text/markdown' = 'text/html') =>
  (await api.ask(path, { headers: { accept } })).text

describe('the turnout over time', () => {
  type Round = { id: string; round: number; turnout: number | null; quorum: string | null }

  const readRounds = (): Promise<Round[]> =>
    rig.analyst.select(
      'SELECT toString(proposal_id) AS id, round, turnout, toString(quorum) AS quorum FROM rollcall.v_tallies WHERE final',
    )
  const readTurnout = (id: string, round: number): Promise<TurnoutPage> =>
    get(`/api/proposals/${id}/turnout?round=${round}`)

  type ViewRow = {
    height: string
    time: string
    ballots: string
    voted_power: string | null
    turnout: number | null
    quorum_reached: boolean | null
  }
  const readView = (id: string, round: number): Promise<ViewRow[]> =>
    rig.analyst.select(
      `SELECT height, time, ballots, voted_power, turnout, quorum_reached FROM rollcall.v_turnout
       WHERE proposal_id = {id:UInt64} AND round = {round:UInt16} ORDER BY height`,
      { id, round },
    )
  const toMs = (time: string): number => Date.parse(`${time.slice(0, 23).replace(' ', 'T')}Z`)

  it('has the numbers of v_turnout at the end of each step, and at last the turnout of the tally', async () => {
    let known = 0
    for (const { id, round, turnout: ofTally } of await readRounds()) {
      const view = await readView(id, round)
      const page = await readTurnout(id, round)
      expect(Compile(TurnoutPage).Errors(page)).toEqual([])
      for (const { until, ballots, votingPower, turnout } of page.items) {
        const isLast = until === page.to
        const rows = view.filter(({ time }) => isLast || toMs(time) < Date.parse(until))
        const row = rows.at(-1)
        expect(Number(row?.ballots), `${id}/${round} ${until}`).toBe(ballots)
        expect(row?.voted_power?.replace(/\..*$/, '') ?? null).toBe(votingPower)
        if (turnout !== null) expect(row?.turnout).toBeCloseTo(Number(turnout), 3)
      }
      const last = page.items.at(-1)
      if (!last?.turnout) continue
      known += 1
      expect(Number(last.turnout)).toBeCloseTo(ofTally ?? -1, 3)
    }
    expect(known).toBeGreaterThan(10)
  })

  it('has the moment at which the quorum was reached, in the API, on the page and in the view', {
    tags: 'api:quorum-is-dated',
  }, async () => {
    let reached = 0
    const reasons = new Set<string | null>()
    for (const { id, round, turnout, quorum } of await readRounds()) {
      const { quorumReached } = await readTurnout(id, round)
      const first = (await readView(id, round)).find((row) => row.quorum_reached)
      expect(quorumReached.height).toBe(first ? Number(first.height) : null)
      reasons.add(quorumReached.reason)
      const text = await readPage(`/proposals/${id}?round=${round}`)
      if (!first) {
        expect(text).not.toContain('The quorum was reached at')
        continue
      }
      reached += 1
      expect(Number(turnout)).toBeGreaterThanOrEqual(Number(quorum))
      expect(Date.parse(quorumReached.time ?? '')).toBe(toMs(first.time))
      expect(text).toMatch(new RegExp(`The quorum was reached at .*in block ${first.height}\\.`))
    }
    expect(reached).toBeGreaterThan(5)
    expect(reasons).toContain('the quorum was not reached')
  })

  it('has outcomes in v_proposals that equal those of the API', {
    tags: 'api:quorum-is-dated',
  }, async () => {
    type Outcome = { proposalId: string; outcomeReason: string | null }
    const rows = await rig.analyst.select<Outcome>(
      'SELECT toString(proposal_id) AS proposalId, outcome_reason AS outcomeReason FROM rollcall.v_proposals ORDER BY proposal_id',
    )
    const served: Outcome[] = []
    for (const { proposalId } of rows) {
      const { outcomeReason } = await get(`/api/proposals/${proposalId}`)
      served.push({ proposalId, outcomeReason })
    }
    expect(rows).toEqual(served)
    expect(new Set(rows.map(({ outcomeReason }) => outcomeReason)).size).toBeGreaterThan(2)
  })
})

describe('the words beside a vote', { tags: 'api:chain-texts-stay-text' }, () => {
  type Row = { id: string; voter: string; metadata: string; round: number }

  const readView = (): Promise<Row[]> =>
    rig.analyst.select(
      'SELECT toString(proposal_id) AS id, round, voter, metadata FROM rollcall.v_ballots WHERE metadata IS NOT NULL',
    )

  it('are in the event, the view, the ballot and the CSV, unchanged', async () => {
    const rows = await readView()
    expect(rows.length).toBeGreaterThan(10)
    const events = await rig.analyst.select<{ voter: string; said: string }>(
      "SELECT JSONExtractString(data, 'voter') AS voter, JSONExtractString(data, 'reason', 'metadata') AS said FROM rollcall.v_events WHERE type = 'rollcall.vote.cast.v1' AND said != ''",
    )
    const said = new Set(events.map((event) => `${event.voter} ${event.said}`))
    for (const { id, voter, metadata, round } of rows.slice(0, 20)) {
      const url = `/api/proposals/${id}/ballots?round=${round}&voter=${voter}`
      const { items } = await get(url)
      expect(items).toMatchObject([{ reason: { metadata, memo: null } }])
      expect(said).toContain(`${voter} ${metadata}`)
      const csv = (await api.ask(`${url}&format=csv`)).text
      expect(csv).toContain(`"${metadata.replaceAll('"', '""')}"`)
    }
  })

  it('are a quotation on the pages of ballots, voters, pools and proposals', async () => {
    const { items: pools } = await get('/api/pools')
    const [row] = await readView()
    expect(row?.metadata).toContain('<i>')
    const pages = [`/voters/${row?.voter}`, `/proposals/${row?.id}/ballots?voter=${row?.voter}`]
    for (const path of [
      ...pages,
      ...pools.map((pool: { operatorAddress: string }) => `/pools/${pool.operatorAddress}`),
    ]) {
      const html = await readPage(path)
      expect(html, path).not.toMatch(/<i>(?:voter|operator)/)
      expect(await readPage(path, 'text/markdown'), path).not.toMatch(
        /(?<!\\)<i>(?:voter|operator)/,
      )
      if (pages.includes(path)) expect(html).toContain('“<bdi dir="auto">because: &lt;i>')
    }
  })
})

describe('a missed vote', { tags: 'projections:missed-votes' }, () => {
  type Counts = Record<string, number>
  type Pool = { operatorAddress: string; proposalsVoted: number; proposalsMissed: number }
  type Item = { proposalId: string; round: number; vote: unknown; missed: boolean }
  type Pages = { items: Item[]; links: { next: string | null } }
  type Missed = { operator_address: string; proposalId: string; round: number }

  const readPools = async (): Promise<Pool[]> => (await get('/api/pools')).items

  /** How often each pool of the API missed a vote. */
  const readCounts = async (): Promise<Counts> =>
    Object.fromEntries(
      (await readPools()).map((pool) => [pool.operatorAddress, pool.proposalsMissed]),
    )

  const readRecord = async (operator: string): Promise<Item[]> => {
    const items: Item[] = []
    for (let url: string | null = `/api/pools/${operator}/votes`; url !== null; ) {
      const page: Pages = await get(url)
      items.push(...page.items)
      url = page.links.next
    }
    return items
  }

  const readView = (): Promise<Missed[]> =>
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

  it('is a last tally that counted the pool without a vote of its operator', async () => {
    const counts = Object.entries(await readCounts()).filter(([, count]) => count > 0)
    expect(counts.length).toBeGreaterThan(20)
    expect(Object.fromEntries(counts)).toEqual(await countFromEvidence())
  })

  it('is a row of the record of its pool, of its page and of the view', async () => {
    const view = await readView()
    expect(view.length).toBeGreaterThan(50)
    const toNames = (items: readonly { proposalId: string; round: number }[]) =>
      items.map(({ proposalId, round }) => `${proposalId}/${round}`).sort()
    for (const { operatorAddress, proposalsMissed, proposalsVoted } of await readPools()) {
      const record = await readRecord(operatorAddress)
      const missed = record.filter((item) => item.missed)
      expect(missed.filter(({ vote }) => vote !== null)).toEqual([])
      expect(missed, operatorAddress).toHaveLength(proposalsMissed)
      const inView = view.filter((row) => row.operator_address === operatorAddress)
      expect(toNames(inView)).toEqual(toNames(missed))
      const voted = new Set(record.filter(({ vote }) => vote).map((item) => item.proposalId))
      for (const { proposalId } of missed) voted.delete(proposalId)
      expect(voted.size).toBe(proposalsVoted)
      const page = `/pools/${operatorAddress}`
      const markdown = await readPage(page, 'text/markdown')
      expect(markdown.match(/\| \*\*Missed\*\* \|/g) ?? []).toHaveLength(proposalsMissed)
      const html = await readPage(page)
      expect(html.match(/<strong>Missed<\/strong>/g) ?? []).toHaveLength(proposalsMissed)
    }
  })

  it('has the same number per pool in the document and the notebook as in the API', async () => {
    const served = await readCounts()
    const count = async (sql: string): Promise<Counts> => {
      const rows = await rig.analyst.select<{ operator_address: string; missed: string }>(sql)
      return Object.fromEntries(rows.map((row) => [row.operator_address, Number(row.missed)]))
    }
    const [, documented = ''] =
      /^## Which bonded pools miss votes\?[\s\S]*?```sql\n([\s\S]*?)\n```/m.exec(
        readText('ANALYSTS.md'),
      ) ?? []
    const inDocument = await count(documented)
    expect(Object.keys(inDocument).length).toBeGreaterThan(20)
    expect(served).toMatchObject(inDocument)
    const cells: { source: string[] }[] = JSON.parse(readText('examples/governance.ipynb')).cells
    const asked = cells[cells.findIndex(({ source }) => /miss votes/.test(source.join(''))) + 1]
    const [, sql = ''] = /ask\('''([\s\S]*)'''\)/.exec(asked?.source.join('') ?? '') ?? []
    const inNotebook = await count(sql.replaceAll(' v_', ' rollcall.v_'))
    expect(Object.keys(inNotebook)).toHaveLength(10)
    expect(served).toMatchObject(inNotebook)
  })

  type Vote = { pool: { operatorAddress: string }; vote: unknown; votingPower: string }
  const readVotes = async (id: string, voted: boolean) => {
    const { items, page, votedReason } = await get(`/api/proposals/${id}/votes?voted=${voted}`)
    return { items: items as Vote[], total: page.totalItems, votedReason }
  }
  const toOperators = (votes: readonly Vote[]) =>
    votes.map(({ pool }) => pool.operatorAddress).sort()

  it('is a row of the votes with voted=false and is counted on the page; no other closed vote has one', async () => {
    const view = await readView()
    const { items: proposals } = await get('/api/proposals')
    for (const { proposalId: id, status } of proposals) {
      if (!['passed', 'rejected', 'failed'].includes(status)) continue
      const [voted, silent] = [await readVotes(id, true), await readVotes(id, false)]
      for (const { items, total, votedReason } of [voted, silent]) {
        expect([total, votedReason], id).toEqual([items.length, null])
      }
      expect(silent.items.filter(({ vote }) => vote !== null)).toEqual([])
      expect(voted.items.filter(({ vote }) => vote === null)).toEqual([])
      const powers = silent.items.map(({ votingPower }) => Number(votingPower))
      expect(powers).toEqual(powers.toSorted((one, other) => other - one))
      const missed = view.filter(({ proposalId }) => proposalId === id)
      expect(toOperators(silent.items), id).toEqual(
        missed.map((row) => row.operator_address).sort(),
      )
      if (missed.length === 0) continue
      expect(await readPage(`/proposals/${id}`), id).toMatch(
        new RegExp(`\\b${missed.length} validators? (?:was|were) in the tally and did not vote`),
      )
    }
  })

  it('is a state of the votes of many pools, by address or account', async () => {
    type Named = Pool & { accountAddress: string; counted: boolean }
    const pools = (await readPools()) as Named[]
    const read = async (names: readonly string[]) =>
      get(`/api/votes?pools=${encodeURIComponent(names.join(','))}`)
    const some = pools.slice(0, 50)
    const byAddress = await read(some.map(({ operatorAddress }) => operatorAddress))
    const byAccount = await read(some.map(({ accountAddress }) => accountAddress.toUpperCase()))
    expect(byAddress.items).toEqual(byAccount.items)
    const all = await read(['bonded'])
    expect(all.pools).toHaveLength(pools.filter(({ counted }) => counted).length)
    expect(all.items.length).toBeGreaterThan(10)
    for (const { proposalId: id, votes } of all.items as {
      proposalId: string
      votes: string[]
    }[]) {
      const [voted, silent] = [await readVotes(id, true), await readVotes(id, false)]
      for (const [at, state] of votes.entries()) {
        const operator = all.pools[at].operatorAddress
        const has = ({ items }: typeof voted) => toOperators(items).includes(operator)
        expect(has(voted), `${id} ${operator}`).toBe(/yes|no$|abstain|veto|split/.test(state))
        expect(has(silent), `${id} ${operator}`).toBe(/missed|not_yet/.test(state))
      }
    }
    expect((await read(Array(51).fill('x'))).status).toBe(400)
  })
})
