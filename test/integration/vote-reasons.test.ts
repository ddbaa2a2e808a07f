// Tests that the words beside a vote are the same in events, tables, views, lists and pages of the demo chain, and never markup.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { type AnalystRig, startAnalystRig } from '../support/store/analyst-rig.ts'

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

type Row = { id: string; voter: string; metadata: string; round: number }

const readView = (): Promise<Row[]> =>
  rig.analyst.select(
    'SELECT toString(proposal_id) AS id, round, voter, metadata FROM rollcall.v_ballots WHERE metadata IS NOT NULL',
  )

describe('the words beside a vote', { tags: 'api:chain-texts-stay-text' }, () => {
  it('are in the event, the view, the ballot and the CSV, unchanged', async () => {
    const rows = await readView()
    expect(rows.length).toBeGreaterThan(10)
    const events = await rig.analyst.select<{ voter: string; said: string }>(
      "SELECT JSONExtractString(data, 'voter') AS voter, JSONExtractString(data, 'reason', 'metadata') AS said FROM rollcall.v_events WHERE type = 'rollcall.vote.cast.v1' AND said != ''",
    )
    const said = new Set(events.map((event) => `${event.voter} ${event.said}`))
    for (const { id, voter, metadata, round } of rows.slice(0, 20)) {
      const url = `/api/proposals/${id}/ballots?round=${round}&voter=${voter}`
      const { items } = (await api.ask(url)).json()
      expect(items).toMatchObject([{ reason: { metadata, memo: null } }])
      expect(said).toContain(`${voter} ${metadata}`)
      const csv = (await api.ask(`${url}&format=csv`)).text
      expect(csv).toContain(`"${metadata.replaceAll('"', '""')}"`)
    }
  })

  it('are a quotation on the pages of ballots, voters, pools and proposals', async () => {
    const { items: pools } = (await api.ask('/api/pools')).json()
    const [row] = await readView()
    expect(row?.metadata).toContain('<i>')
    const read = async (path: string, accept: string) =>
      (await api.ask(path, { headers: { accept } })).text
    const pages = [`/voters/${row?.voter}`, `/proposals/${row?.id}/ballots?voter=${row?.voter}`]
    for (const path of [
      ...pages,
      ...pools.map((pool: { operatorAddress: string }) => `/pools/${pool.operatorAddress}`),
    ]) {
      const [html, markdown] = [await read(path, 'text/html'), await read(path, 'text/markdown')]
      expect(html, path).not.toMatch(/<i>(?:voter|operator)/)
      expect(markdown, path).not.toMatch(/(?<!\\)<i>(?:voter|operator)/)
      if (pages.includes(path)) expect(html).toContain('“<bdi dir="auto">because: &lt;i>')
    }
  })
})
