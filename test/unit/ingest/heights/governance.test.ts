// Tests that ingest resumes from the log alone.
import { describe, expect, it } from 'vitest'
import { readTail } from '../../../../ingest/heights/governance.ts'
import { createGovStory } from '../../../support/chain/gov-story.ts'
import { ingestToTip } from '../../../support/chain/ingest-run.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { recordingLogger, silentLogger } from '../../../support/process/log-lines.ts'
import { account } from '../../../support/simulator/addresses.ts'

describe('the tail of the log', () => {
  it('is empty for an empty log', async () => {
    const tail = await readTail(openMemoryLog(), silentLogger())
    expect(tail.marker).toBeUndefined()
    expect(tail.open.openSince()).toBeNull()
  })

  it('restores the open proposals with their ballots, stake and start heights', async () => {
    const log = openMemoryLog()
    const chain = createGovStory()
    await ingestToTip(chain, log)
    const { marker, open } = await readTail(log, silentLogger())
    expect(marker?.height).toBe(chain.tip)
    expect(open.openSince()).toBe(marker?.data.openSince)
    const [proposal, ...others] = open.list()
    expect([proposal?.proposalId, proposal?.round, others]).toEqual(['5', 1, []])
    const { ballots, basis, unread } = proposal!.vote
    expect([...ballots.values()]).toMatchObject([
      { voter: account('alice'), delegations: { length: 3 } },
    ])
    expect([basis?.pools.size, unread.size]).toEqual([3, 0])
  })

  it('refuses a log that does not end with a marker', async () => {
    const log = openMemoryLog()
    await log.append([{ height: 1, timeMs: 0, value: new TextEncoder().encode('{}') }])
    await expect(readTail(log, silentLogger())).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
  })

  it('skips an undecodable event, and raises an alert', async () => {
    const log = openMemoryLog()
    await ingestToTip(createGovStory(), log)
    const last = (await log.last())!
    await log.append([
      { height: last.height, timeMs: 0, value: new TextEncoder().encode('nonsense') },
      { height: last.height, timeMs: 0, value: last.value },
    ])
    const { logger, lines } = recordingLogger()
    await readTail(log, logger)
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['error', 'skipped an undecodable event'],
    ])
  })
})
