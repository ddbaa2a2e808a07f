// Tests that the turnout over time is the same in the API, on the page, in the view and in the tally.
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TurnoutPage } from '../../api/schemas/turnout.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
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

const readTurnout = async (id: string, round: number): Promise<TurnoutPage> => {
  const response = await api.ask(`/api/proposals/${id}/turnout?round=${round}`)
  expect(response.status, id).toBe(200)
  return response.json()
}

type Round = { id: string; round: number; turnout: number | null; quorum: string | null }

const readRounds = (): Promise<Round[]> =>
  rig.analyst.select(
    'SELECT toString(proposal_id) AS id, round, turnout, toString(quorum) AS quorum FROM rollcall.v_tallies WHERE final',
  )

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

describe('the turnout over time', () => {
  it('matches its schema, and ends with the turnout of the tally', async () => {
    const rounds = await readRounds()
    expect(rounds.length).toBeGreaterThan(10)
    const known: number[] = []
    for (const { id, round, turnout } of rounds) {
      const page = await readTurnout(id, round)
      expect(Compile(TurnoutPage).Errors(page)).toEqual([])
      const last = page.items.at(-1)
      if (!last?.turnout) continue
      known.push(round)
      expect(Number(last.turnout)).toBeCloseTo(turnout ?? -1, 3)
    }
    expect(known.length).toBeGreaterThan(10)
  })

  it('has the numbers of v_turnout at the end of each step', async () => {
    for (const { id, round } of await readRounds()) {
      const view = await readView(id, round)
      const { items, to } = await readTurnout(id, round)
      for (const { until, ballots, votingPower, turnout } of items) {
        const isLast = until === to
        const rows = view.filter(({ time }) => isLast || toMs(time) < Date.parse(until))
        const row = rows.at(-1)
        expect(Number(row?.ballots), `${id}/${round} ${until}`).toBe(ballots)
        expect(row?.voted_power?.replace(/\..*$/, '') ?? null).toBe(votingPower)
        if (turnout !== null) expect(row?.turnout).toBeCloseTo(Number(turnout), 3)
      }
    }
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
      const page = await api.ask(`/proposals/${id}?round=${round}`, {
        headers: { accept: 'text/html' },
      })
      if (!first) {
        expect(page.text).not.toContain('The quorum was reached at')
        continue
      }
      reached += 1
      expect(Number(turnout)).toBeGreaterThanOrEqual(Number(quorum))
      expect(Date.parse(quorumReached.time ?? '')).toBe(toMs(first.time))
      expect(page.text).toMatch(
        new RegExp(`The quorum was reached at .*in block ${first.height}\\.`),
      )
    }
    expect(reached).toBeGreaterThan(5)
    expect(reasons).toContain('the quorum was not reached')
  })

  it('has no power and no moment before the tally, and no steps before the vote', async () => {
    const [open, before] = await Promise.all(
      ['voting_period', 'deposit_period'].map((status) =>
        api.ask(`/api/proposals?status=${status}`),
      ),
    )
    const id = open?.json().items[0].proposalId
    const live: TurnoutPage = (await api.ask(`/api/proposals/${id}/turnout`)).json()
    expect(live.items.length).toBeGreaterThan(0)
    expect(
      live.items.every(({ votingPower, turnout }) => votingPower === null && turnout === null),
    ).toBe(true)
    expect(live.quorumReached).toMatchObject({ height: null, time: null })
    expect(live.quorumReached.reason).toContain('from the tally on')
    const [early] = before?.json().items ?? []
    if (!early) throw new Error('the demo has no proposal in its deposit period')
    const none = (await api.ask(`/api/proposals/${early.proposalId}/turnout`)).json()
    expect(none).toMatchObject({ items: [], round: 0, from: null })
    expect(none.quorumReached).toEqual({ height: null, time: null, reason: 'no vote has started' })
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
      const { outcomeReason } = (await api.ask(`/api/proposals/${proposalId}`)).json()
      served.push({ proposalId, outcomeReason })
    }
    expect(rows).toEqual(served)
    expect(new Set(rows.map(({ outcomeReason }) => outcomeReason)).size).toBeGreaterThan(2)
  })

  it('is linked from the proposal, and has the same rows as CSV', async () => {
    const { links } = (await api.ask('/api/proposals/2')).json()
    const json = (await api.ask(links.turnout)).json()
    const csv = await api.ask(links.turnout, { headers: { accept: 'text/csv' } })
    expect(csv.text.trim().split(/\r?\n/)).toHaveLength(json.items.length + 1)
    expect(csv.text).toMatch(/^"until","ballots","votingPower","turnout"\r?\n/)
    expectProblem(await api.ask('/api/proposals/2/turnout?round=9'), 404, 'round-not-found')
    expectProblem(await api.ask('/api/proposals/9999/turnout'), 404, 'proposal-not-found')
  })
})
