// Tests `rollcall history` beside a log: what it prints, and what it asks of ingest.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UsageError } from '../../infra/app/commands/command.ts'
import { history } from '../../infra/app/commands/history.ts'
import { openDataDir } from '../../infra/app/data-dir/data-dir.ts'
import { createTerminal } from '../../infra/app/terminal/terminal.ts'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { History } from '../../ingest/contract/history-events.ts'
import { readHistoryRequests } from '../../ingest/past-rounds/requests.ts'
import { createHeightEvents, toLogEntry } from '../support/log/governance-events.ts'

const MEMBER: History = {
  at: 100,
  total: 950,
  done: 412,
  unreachable: 538,
  reason: 'the node has pruned the state of height 7',
}

let directory: string
let logPath: string
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-history-'))
  const opened = await openDataDir(directory)
  logPath = opened.logPath
  await opened.release()
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const appendMarker = async (member: History | undefined) => {
  const [marker] = createHeightEvents(100, []) as [
    GovernanceEvent & { type: 'rollcall.block.indexed.v1' },
  ]
  const data = { ...marker.data, ...(member && { history: member }) }
  const log = await openEmbeddedLog({ path: logPath })
  await log.append([toLogEntry({ ...marker, data })])
  await log.close()
}

const run = async (...args: string[]) => {
  const lines: string[] = []
  const write = (text: string) => {
    lines.push(text)
    return true
  }
  const options = { json: args.includes('--json') }
  const terminal = createTerminal({ write } as never, { write } as never)
  const code = await history.run({
    args: args.filter((arg) => !arg.startsWith('--')),
    options,
    env: { DATA_DIR: directory },
    terminal,
    signal: new AbortController().signal,
    process,
    version: '0.0.0',
  })
  return { code, text: lines.join('') }
}
const requests = () => readHistoryRequests(join(directory, 'history.json'))

it('prints how many past votes are recomputed, and why others are not', async () => {
  await appendMarker(MEMBER)
  const { code, text } = await run()
  expect(code).toBe(0)
  expect(text).toBe(
    'Recomputed: 412 of 950 votes that ended before the first height.\n' +
      'Out of reach: 538. The first one: the node has pruned the state of height 7\n',
  )
  expect(JSON.parse((await run('--json')).text)).toEqual({ ...MEMBER, isStopped: false })
})

it('stops the history, continues it, and asks for one proposal', async () => {
  await appendMarker({ ...MEMBER, unreachable: 0, reason: null })
  expect((await run('stop')).text).toMatch(/Stopped: "rollcall history start" continues/)
  expect(await requests()).toEqual({ isStopped: true, first: [] })
  await run('start')
  expect(await requests()).toEqual({ isStopped: false, first: [] })
  expect((await run('848')).text).toMatch(/Proposal 848 is read next/)
  expect(await requests()).toEqual({ isStopped: false, first: ['848'] })
})

it('says that there is nothing to read', async () => {
  await appendMarker(undefined)
  expect((await run()).text).toBe('No vote had ended before the first height, or HISTORY is off.\n')
})

it('refuses other words, and a folder without a log', async () => {
  await expect(run('pause')).rejects.toThrow(UsageError)
  rmSync(directory, { recursive: true })
  await expect(run('stop')).rejects.toThrow(/no event log in .*set DATA_DIR/)
})
