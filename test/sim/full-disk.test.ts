// Fills the disks of the log and of ClickHouse during a run. All work continues after space is free again.

import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import type { StoreAccess } from '../../infra/base/clickhouse/settings.ts'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { freshTables, readTables } from '../support/fold/read-tables.ts'
import { caughtUp, startForTest } from '../support/fold/run-projections.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { startChild } from '../support/process/child.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import { until } from '../support/process/rollcall-process.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { bundleChild } from './bundle.ts'
import { createDice } from './dice.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { MOST_KILLS, toLogPath } from './kill-plan.ts'
import { KILLED_HEIGHTS, seededChain } from './seeded-chain.ts'
import { createSeededStory, undisturbedTables } from './seeded-tables.ts'

/** The reason why this machine does not support it, or undefined. */
const checkDiskLimit = (): string | undefined =>
  spawnSync('prlimit', ['--version']).status === 0
    ? undefined
    : 'no `prlimit` on the PATH: it limits the files of a running process'

const liftLimit = (pid: number): void => {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:'])
}

/** Starts another program in new namespaces, where its user may mount. */
const OWN_MOUNTS = ['unshare', '--user', '--map-root-user', '--mount']

/** For `startChild`: only the child sees the existing directory as the small disk. */
const onSmallDisk = (directory: string, megabytes: number) => ({
  within: OWN_MOUNTS,
  before: `mount -t tmpfs -o size=${megabytes}m tmpfs '${directory}' || exit 1`,
})

/** The reason why this machine does not support it, or undefined. */
const checkSmallDisk = (directory: string): string | undefined => {
  const [program = '', ...rest] = OWN_MOUNTS
  const tried = spawnSync(program, [...rest, 'mount', '-t', 'tmpfs', 'tmpfs', directory])
  return tried.status === 0
    ? undefined
    : 'the machine cannot create namespaces to mount a small disk'
}

/** Fills the disk that the process sees at this path. The returned function frees it. */
const fillDisk = (pid: number, directory: string): (() => void) => {
  const seen = `/proc/${pid}/root${directory}`
  const file = openSync(`${seen}/ballast`, 'w')
  try {
    // Other writers may be faster, so the disk is full when a write fails.
    for (const block = Buffer.alloc(statfsSync(seen).bsize); ; ) writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return () => rmSync(`${seen}/ballast`)
}

const SEED = 1
const FULL = 'stopped appending: the log is full'
const WAIT_TIMEOUT_MS = 60_000
const CONTROL = 'rollcall'
const DISK_MEGABYTES = 96

const setup = () => {
  const directory = createTemporaryDirectory('sim')
  onTestFinished(() => directory.remove())
  return directory.path
}

describe('on a full disk', () => {
  it('ingest waits for a log on a full disk, and continues in the same process after space is free', {
    tags: 'ingest:full-disk-loses-nothing',
  }, async ({ skip }) => {
    const problem = checkDiskLimit()
    if (problem) return skip(problem)
    const directory = setup()
    const bundle = await bundleChild('ingest')
    onTestFinished(() => bundle.remove())
    mkdirSync(join(directory, String(SEED)))
    // After its creation, the log can grow only by a few appends.
    await (await openEmbeddedLog({ path: toLogPath(directory, SEED) })).close()
    const child = startChild(bundle.url, [String(MOST_KILLS), String(SEED), directory], {
      before: 'ulimit -S -f 120',
    })
    onTestFinished(() => child.kill())
    await child.line(({ msg }) => msg === FULL)
    liftLimit(child.process.pid!)
    await child.line(({ done }) => done === true)
    const log = await openEmbeddedLog({ path: toLogPath(directory, SEED), readOnly: true })
    const chain = seededChain(createDice(SEED), KILLED_HEIGHTS)
    await expectExactLog(log, chain, await undisturbedLog(chain))
    await log.close()
  })

  it('the projections wait for a ClickHouse with a full disk and continue after space is free; the tables are exact', {
    tags: 'ingest:full-disk-loses-nothing',
  }, async ({ skip }) => {
    const directory = setup()
    const problem = checkSmallDisk(directory)
    if (problem) return skip(problem)
    const parent = startChild(
      import.meta.resolve('../support/store/clickhouse-parent.ts'),
      [directory],
      {
        ...onSmallDisk(directory, DISK_MEGABYTES),
      },
    )
    onTestFinished(() => parent.kill())
    const server = await parent.line((line) => 'pid' in line)
    const store = createStore(server as StoreAccess)
    await freshTables(store, CONTROL)
    const log = openMemoryLog()
    const heights = createSeededStory(SEED)
    const half = Math.floor(heights.length / 2)
    for (const height of heights.slice(0, half)) await log.append(height)
    const { logger, lines } = recordingLogger()
    const projections = await startForTest(log, store, {}, { control: CONTROL, logger })
    onTestFinished(() => projections.close())
    await caughtUp(projections, log)
    const before = projections.progress().nextOffset
    const freeDiskSpace = fillDisk(Number(server['pid']), directory)
    for (const height of heights.slice(half)) await log.append(height)
    const waits = () => lines.filter(({ msg }) => msg === 'waited for ClickHouse')
    await Promise.race([
      until('it waits', WAIT_TIMEOUT_MS, () => waits().length > 3 || undefined),
      projections.done,
    ])
    expect(waits()[0]).toMatchObject({ reason: expect.stringMatching(/not enough space/) })
    expect(projections.progress().nextOffset).toBe(before)
    freeDiskSpace()
    await caughtUp(projections, log)
    await projections.close()
    expect(await readTables(store, CONTROL)).toEqual(
      await undisturbedTables(createSeededStory(SEED)),
    )
    await store.close()
  })
})
