// Runs real ingest for the chains of several seeds in a process that dies as planned.
// Its own argument: the directory of the logs.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { lockDirectory } from '../../../infra/app/data-dir.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import type { EventLog, LogEntry } from '../../../infra/base/log/event-log.ts'
import { createLogger } from '../../../infra/base/runtime/logger.ts'
import { MOST_APPENDS, toLogPath } from '../kill-plan.ts'
import { liveIngest } from '../lives.ts'
import { KILLED_HEIGHTS, seededChain } from '../seeded-chain.ts'
import { type Doom, die, liveAll, parameters } from './doom.ts'

/** Alerts are lines on standard output, like all messages to the parent. */
const logger = createLogger({ service: 'sim', level: 'error' })

/** A record that kills the process at the second read of its value: the first read only sums up sizes. */
const deadly = (entry: LogEntry): LogEntry => {
  let reads = 0
  return {
    ...entry,
    get value() {
      if (++reads > 1) die()
      return entry.value
    },
  }
}

const doomed = (inner: EventLog, doom: Doom): EventLog => ({
  ...inner,
  append: (entries) =>
    doom.write({
      whole: () => inner.append(entries),
      deadly: (percent) => {
        const at = Math.floor((entries.length * percent) / 100)
        return inner.append(entries.map((entry, index) => (index === at ? deadly(entry) : entry)))
      },
    }),
})

const [directory = ''] = parameters
await liveAll({
  mostWrites: MOST_APPENDS,
  live: async (dice, doom) => {
    const folder = join(directory, String(dice.seed))
    mkdirSync(folder, { recursive: true })
    const { release } = await lockDirectory(folder)
    const log = await openEmbeddedLog({ path: toLogPath(directory, dice.seed) })
    const chain = seededChain(dice, KILLED_HEIGHTS)
    const end = await liveIngest(chain, { log: doomed(log, doom), logger })
    if (end instanceof Error) throw end
    await log.close()
    await release()
  },
})
