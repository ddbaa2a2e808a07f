// Listens to the stream of the started product like a browser: votes appear when they are cast, also after a restart.
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Change, listen } from '../support/api/stream-clients.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'

type Proposal = { proposalId: string; status: string; updatedAt: { height: number } }
type Page = { items: Proposal[] }

const getHeight = ({ data }: Change): number => (data['updatedAt'] as { height: number }).height

/** The last event of each proposal. */
const findLatest = (changes: readonly Change[]) =>
  new Map(
    changes
      .filter(({ event }) => event === 'proposal')
      .map((change) => [`${change.data['proposalId']}`, change]),
  )

describe('the stream of the started product', () => {
  it('reports votes as they are cast, with pages at least as new as the event, also after a restart', async () => {
    const { run, clean } = await createDemoFolder()
    onTestFinished(clean)
    const first = run()
    const url = await first.untilServing()
    const client = listen(`${url}/api/stream`)
    onTestFinished(client.close)
    const voting = () =>
      client.changes.filter(({ data }) => data['status'] === 'voting_period').map(getHeight)
    await until('votes to appear', 60_000, () => (voting().length >= 5 ? true : undefined))
    const change = client.changes.filter(({ event }) => event === 'proposal').at(-1)
    const page = await getJson<Proposal>(url, `/api/proposals/${change?.data['proposalId']}`)
    expect(page.updatedAt.height).toBeGreaterThanOrEqual(change ? getHeight(change) : 0)
    first.signal('SIGTERM')
    const { tookMs, code } = await first.ended
    expect([code, tookMs > 0]).toEqual([0, true])
    await first.untilNoneLeft(5_000)

    const before = client.changes.length
    const again = run({ env: { PORT: new URL(url).port } })
    await again.untilServing()
    await until('the stream to continue', 60_000, () =>
      client.changes.length > before + 3 ? true : undefined,
    )
    // The list and the stream are equal as soon as both stop changing.
    await until('the stream to equal the list', 60_000, async () => {
      const { items } = await getJson<Page>(url, '/api/proposals')
      const latest = findLatest(client.changes)
      const reported = items.filter(({ proposalId }) => latest.has(proposalId))
      const isSame = reported.every(({ proposalId, status, updatedAt }) => {
        const known = latest.get(proposalId)
        return known?.data['status'] === status && getHeight(known) === updatedAt.height
      })
      return isSame && reported.length > 3 ? true : undefined
    })
    const positions = client.changes.map(({ id }) => BigInt(id.split('.')[1] ?? 0))
    expect(positions).toEqual(positions.toSorted((one, other) => (one < other ? -1 : 1)))
    const ids = client.changes.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(client.changes.filter(({ event }) => event !== 'proposal')).toHaveLength(1)
  })
})
