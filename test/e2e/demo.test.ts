// The demo that a user sees first: open votes on the home page of an empty folder, and votes that arrive.
import { expect, it, onTestFinished } from 'vitest'
import { createRunFolder, getJson, USERS_DEMO, until } from '../support/process/rollcall-process.ts'

type Listed = { proposalId: string; title: string; tally: { ballots: number | null } | null }
type Page = { items: Listed[]; page: { totalItems: number } }

const listOpen = async (url: string): Promise<Listed[]> =>
  (await getJson<Page>(url, '/api/proposals?status=voting_period')).items

const countBallots = async (url: string): Promise<number> =>
  (await listOpen(url)).reduce((sum, { tally }) => sum + (tally?.ballots ?? 0), 0)

it('shows open votes and decided proposals after a first start, and live votes arrive', async () => {
  const { run, clean } = await createRunFolder()
  onTestFinished(clean)
  const url = await run({ env: USERS_DEMO }).untilServing()
  const open = await until('three open votes are indexed', 120_000, async () => {
    const decided = await getJson<Page>(url, '/api/proposals?status=passed,rejected,failed')
    const found = await listOpen(url)
    return found.length >= 3 && decided.page.totalItems >= 28 ? found : undefined
  })
  const home = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  for (const { proposalId } of open) expect(home).toContain(`href="/proposals/${proposalId}"`)

  const before = await countBallots(url)
  await until('more ballots', 60_000, async () =>
    (await countBallots(url)) > before + 5 ? true : undefined,
  )
})
