// Tests of claims and revocations in a real ClickHouse: from their own log, after restarts and rebuilds.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { rebuild } from '../../projections/rebuild/rebuild.ts'
import { createLog, type RebuildRig, startRebuildRig, until } from '../support/fold/rebuild-rig.ts'
import {
  type AgentStep,
  createAgentEvents,
  toAgentLogEntry,
  toRegistrationId,
} from '../support/log/agent-events.ts'
import { generateStory } from '../support/log/governance-story.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { recordingLogger } from '../support/process/log-lines.ts'

let rig: RebuildRig
beforeAll(async () => {
  rig = await startRebuildRig()
})
afterAll(() => rig.stop())
beforeEach(() => rig.clear())

const step = (kind: AgentStep['kind'], attempt = 0, by = 0): AgentStep => ({
  kind,
  registration: 0,
  attempt,
  by,
  afterMs: 1_000,
})
const STEPS = [step('started'), step('completed', 0, 7), step('completed', 0, 8), step('revoked')]

const setup = async () => {
  const agentsLog = openMemoryLog()
  const events = createAgentEvents(STEPS)
  const append = async (from: number, to: number) => {
    for (const event of events.slice(from, to)) await agentsLog.append([toAgentLogEntry(event)])
  }
  const log = await createLog(generateStory({ seed: 7, heights: 20 }))
  const start = () => rig.start(log, { heartbeatMs: 50 }, { agentsLog })
  const claims = (generation = 1) =>
    rig.store.select<{ state: string; event_id: string; registration_id: string }>(
      `SELECT registration_id, state, event_id FROM ${toDatabaseName(generation, rig.control)}.claims FINAL`,
    )
  const revocations = async (generation = 1) =>
    (
      await rig.store.select(
        `SELECT * FROM ${toDatabaseName(generation, rig.control)}.revocations FINAL`,
      )
    ).length
  const untilRows = (state: string, revoked: number, generation = 1) =>
    until(async () => {
      const [claim] = await claims(generation)
      return claim?.state === state && (await revocations(generation)) === revoked
    })
  return { append, start, claims, untilRows }
}

describe('claims and revocations', () => {
  it('appear quickly, and the first claim of a registration stays permanently, also after a restart', async () => {
    const { append, start, claims, untilRows } = await setup()
    const projections = await start()
    await append(0, 1)
    await untilRows('started', 0)
    await projections.close()
    await append(1, 3)
    await start()
    await untilRows('completed', 0)
    await append(3, 4)
    await untilRows('completed', 1)
    const [, first] = createAgentEvents(STEPS)
    const winner = { registration_id: toRegistrationId(0), state: 'completed', event_id: first?.id }
    expect(await claims()).toEqual([winner])
  })

  it('are in the tables of a rebuild before those are served', async () => {
    const { append, start, claims, untilRows } = await setup()
    await append(0, 4)
    await start()
    await untilRows('completed', 1)
    const outcome = await rebuild(rig.createOptions())
    expect(outcome).toMatchObject({ generation: 2, isSwitched: true })
    expect(await claims(2)).toEqual(await claims(1))
    await rig.expectEqualTables(1, 2)
  })

  it('stop alone if the store refuses their row, and a rebuild ends', {
    tags: 'projections:unstorable-row',
  }, async () => {
    await rig.store.command(
      `ALTER TABLE ${toDatabaseName(1, rig.control)}.revocations ADD CONSTRAINT no_such CHECK token_id != 'token-0'`,
    )
    const steps = [0, 1, 2].map((by) => ({
      kind: by === 1 ? ('started' as const) : ('revoked' as const),
      registration: by,
      attempt: by,
      by,
      afterMs: 1_000,
    }))
    const agentsLog = openMemoryLog()
    for (const event of createAgentEvents(steps)) {
      const text = JSON.stringify(event).replace('An agent', 'half \\ud800')
      await agentsLog.append([{ ...toAgentLogEntry(event), value: Buffer.from(text) }])
    }
    const { logger, lines } = recordingLogger()
    const log = await createLog(generateStory({ seed: 7, heights: 20 }))
    await rig.start(log, { heartbeatMs: 50 }, { agentsLog, logger })
    const read = <Row>(table: string) =>
      rig.store.select<Row>(`SELECT * FROM ${toDatabaseName(1, rig.control)}.${table} FINAL`)
    await until(async () => (await read('revocations')).length === 1)
    expect(await read('claims')).toMatchObject([{ client_name: 'half \ufffd' }])
    expect(lines.filter(({ msg }) => msg === 'left out a row that was refused')).toMatchObject([
      { table: 'revocations', key: 'token-0/0', reason: expect.stringContaining('no_such') },
    ])
    const outcome = await rebuild(rig.createOptions())
    expect(outcome.comparison?.differences).toMatchObject([{ table: 'revocations', keys: 1 }])
  })

  it('have no column for a wallet', { tags: 'projections:no-wallets' }, async () => {
    const { append, start, untilRows } = await setup()
    await append(0, 4)
    await start()
    await untilRows('completed', 1)
    const database = toDatabaseName(1, rig.control)
    const columns = await rig.store.select<{ name: string }>(
      `SELECT name FROM system.columns WHERE database = {database:String} AND table = 'claims'`,
      { database },
    )
    const names = columns.map(({ name }) => name)
    expect(names).toContain('chain_id')
    expect(names.filter((name) => /address|public_key|wallet/.test(name))).toEqual([])
  })

  it('are not readable for analysts', async () => {
    const rows = await rig.store.select<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = {control:String} AND engine = 'View'
       AND (position(as_select, '.claims') > 0 OR position(as_select, '.revocations') > 0)`,
      { control: rig.control },
    )
    expect(rows).toEqual([])
  })
})
