// Tests of an undecodable record: a dead letter, an alert and a partial history.
// After a parser fix, a retry gives the same tables as an undisturbed run.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import { ORDINAL, toOrdinal } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import {
  explainUndecodable,
  listLetters,
  retryLetters,
} from '../../projections/rebuild/dead-letters.ts'
import { createLog, type RebuildRig, startRebuildRig } from '../support/fold/rebuild-rig.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { generateStory } from '../support/log/governance-story.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'

let rig: RebuildRig
beforeAll(async () => {
  rig = await startRebuildRig()
})
beforeEach(() => rig.clear())
afterAll(() => rig?.stop())

// Without events that ingest could not decode: no parser of the projections changes those.
/** Past votes with incomplete evidence are dead letters, too. */
const isHistory = ({ index }: GovernanceEvent) => toOrdinal(index) === ORDINAL.history
const story = generateStory({ seed: 5, heights: 60 }).map((height) =>
  height.filter(
    (event) => event.type !== 'rollcall.abci-event.undecodable.v1' && !isHistory(event),
  ),
)
const votes = story.flat().filter(({ type }) => type === 'rollcall.vote.cast.v1')
const VOTE = votes[20] as (typeof votes)[number]
const PROPOSAL = VOTE.subject?.replace('proposals/', '') ?? ''

/** An event type of a later version. This version cannot decode it, but reads its subject. */
const spoil = (value: Uint8Array): Uint8Array =>
  Buffer.from(
    Buffer.from(value).toString().replace('rollcall.vote.cast.v1', 'rollcall.vote.cast.v9'),
  )

/** The log with a record that this version cannot decode. */
const poisonedLog = async (poison: (value: Uint8Array) => Uint8Array = spoil) => {
  const log = openMemoryLog()
  for (const height of story) {
    const entries = height.map((event) => {
      const entry = toLogEntry(event)
      return event.id === VOTE.id ? { ...entry, value: poison(entry.value) } : entry
    })
    await log.append(entries)
  }
  return log
}

/** The same log for a version that can decode the record. */
const asRead = (log: EventLog): EventLog => {
  const good = toLogEntry(VOTE).value
  const repair = (record: LogRecord): LogRecord =>
    record.height === VOTE.height && isPoison(record) ? { ...record, value: good } : record
  return { ...log, read: async (from, limits) => (await log.read(from, limits)).map(repair) }
}
const isPoison = ({ value }: LogRecord): boolean =>
  value[0] === 0 || Buffer.from(value).includes('vote.cast.v9')

const readHistory = async (generation: number): Promise<Record<string, string>> => {
  const rows = await rig.store.select<{ proposal_id: string; history: string; reason: string }>(
    `SELECT proposal_id, history, ifNull(history_reason, '') AS reason
     FROM ${toDatabaseName(generation, rig.control)}.proposals FINAL`,
  )
  return Object.fromEntries(
    rows.map(({ proposal_id: id, history, reason }) => [id, `${history} ${reason}`]),
  )
}

/** The tables of the whole story without faults. */
const undisturbed = async () => {
  const projections = await rig.start(await createLog(story))
  const tables = await rig.tables(1)
  await projections.close()
  await rig.clear()
  return tables
}

const readable = () => undefined

describe('an undecodable record', () => {
  it('becomes a dead letter and marks its proposal, and all other records are projected', {
    tags: 'projections:dead-letters',
  }, async () => {
    const whole = await undisturbed()
    const projections = await rig.start(await poisonedLog())
    expect(projections.progress().isCaughtUp).toBe(true)
    const { letters } = await listLetters(rig.store, rig.control)
    expect(letters).toMatchObject([{ height: VOTE.height, proposalId: PROPOSAL }])
    expect(letters[0]?.value).toContain('rollcall.vote.cast.v9')
    expect(explainUndecodable(letters[0] as (typeof letters)[number])).toMatch(/vote\.cast\.v9/)
    const history = await readHistory(1)
    expect(history[PROPOSAL]).toMatch(
      new RegExp(`^partial .*record of height ${VOTE.height} could not be decoded`),
    )
    const before = (whole['proposals'] as { proposal_id: string; history: string }[]).filter(
      ({ proposal_id: id }) => id !== PROPOSAL,
    )
    for (const { proposal_id: id, history: expectedHistory } of before) {
      expect([id, history[id]?.startsWith(expectedHistory)]).toEqual([id, true])
    }
  })

  it('is decoded by a retry after a fix, and the tables equal those of an undisturbed run', {
    tags: 'projections:dead-letters-can-be-retried',
  }, async () => {
    const whole = await undisturbed()
    const log = await poisonedLog()
    const poisoned = await rig.start(log)
    await poisoned.close()
    // The fixed version continues from the checkpoint. Earlier rows stay as they are.
    await rig.start(asRead(log))
    expect((await listLetters(rig.store, rig.control)).letters).toHaveLength(1)
    const outcome = await retryLetters(rig.createOptions({ accept: () => false }), {
      proposalId: PROPOSAL,
      explain: readable,
    })
    expect(outcome).toMatchObject({ isSwitched: true, remaining: [], unexplained: [] })
    expect(outcome.comparison?.equal).toBe(false)
    expect((await listLetters(rig.store, rig.control)).letters).toEqual([])
    expect((await readHistory(2))[PROPOSAL]).not.toContain('could not be decoded')
    const tables = await rig.tables(2)
    for (const [table, rows] of Object.entries(whole)) {
      expect({ table, rows: tables[table] }).toEqual({ table, rows })
    }
  })

  it('without a proposal marks all open proposals, and is decoded by a retry of all', async () => {
    const whole = await undisturbed()
    const log = await poisonedLog(() => Buffer.from([0, 255, 254, 1]))
    const poisoned = await rig.start(log)
    await poisoned.close()
    const { letters } = await listLetters(rig.store, rig.control)
    expect(letters).toMatchObject([
      { proposalId: null, value: `base64:${Buffer.from([0, 255, 254, 1]).toString('base64')}` },
    ])
    await rig.start(asRead(log))
    const outcome = await retryLetters(rig.createOptions({ accept: () => false }), {
      explain: readable,
    })
    expect(outcome).toMatchObject({ isSwitched: true, remaining: [], unexplained: [] })
    for (const [table, rows] of Object.entries(await rig.tables(2))) {
      expect({ table, rows }).toEqual({ table, rows: whole[table] })
    }
  })

  it('is not retried if this version cannot decode it, and no switch happens if the projections cannot', async () => {
    await rig.start(await poisonedLog())
    await expect(retryLetters(rig.createOptions())).rejects.toThrow(
      /none of 1 can be decoded by this version/,
    )
    await expect(retryLetters(rig.createOptions(), { proposalId: '999' })).rejects.toThrow(
      'there are no dead letters of proposal 999',
    )
    const outcome = await retryLetters(rig.createOptions({ accept: () => false }), {
      explain: readable,
    })
    expect(outcome).toMatchObject({ isSwitched: false, comparison: { equal: true } })
    expect(outcome.remaining).toHaveLength(1)
    expect(await rig.states()).toEqual({ 1: 'active', 2: 'building' })
  })

  it('does not explain an unrelated difference, which needs a manual decision', async () => {
    const log = await poisonedLog()
    const poisoned = await rig.start(log)
    await poisoned.close()
    await rig.start(asRead(log))
    const others = Object.keys(await readHistory(1)).filter((id) => id !== PROPOSAL)
    const database = toDatabaseName(1, rig.control)
    await rig.store.command(
      `ALTER TABLE ${database}.proposals UPDATE title = 'another' WHERE proposal_id = ${others[0]} SETTINGS mutations_sync = 1`,
    )
    const outcome = await retryLetters(rig.createOptions({ accept: () => false }), {
      proposalId: PROPOSAL,
      explain: readable,
    })
    expect(outcome).toMatchObject({
      isSwitched: false,
      remaining: [],
      unexplained: [{ table: 'proposals', key: others[0] }],
    })
  })
})
