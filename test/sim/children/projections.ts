// Runs real projections of the logs of several seeds into a real store, in a process that dies as planned.
// Its own arguments: the directory of the logs, and the access to the store as JSON.
import { createStore, type Store } from '../../../infra/base/clickhouse/client.ts'
import type { StoreAccess } from '../../../infra/base/clickhouse/settings.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import { projectAll } from '../../support/fold/run-projections.ts'
import { MOST_INSERTS, toLogPath } from '../kill-plan.ts'
import { toControlName } from '../seeded-tables.ts'
import { type Doom, die, liveAll, parameters } from './doom.ts'

/** Small commits, so that a small log has many points of death. */
const SMALL_COMMITS = { batchEvents: 20, storeRetryMaxMs: 20, heartbeatMs: 50 }

/** A row that kills the process when it is serialized. */
const deadly = (row: object): object => ({ ...row, toJSON: die })

const doomed = (inner: Store, doom: Doom): Store => ({
  ...inner,
  insert: (table, rows, options) =>
    doom.write({
      whole: () => inner.insert(table, rows, options),
      deadly: (percent) => {
        const at = Math.floor((rows.length * percent) / 100)
        const last = rows.map((row, index) => (index === at ? deadly(row) : row))
        return inner.insert(table, last, options)
      },
    }),
})

const [directory = '', access = ''] = parameters
const store = createStore(JSON.parse(access) as StoreAccess)
await liveAll({
  mostWrites: MOST_INSERTS,
  live: async (dice, doom) => {
    const log = await openEmbeddedLog({ path: toLogPath(directory, dice.seed), readOnly: true })
    const control = toControlName(dice.seed)
    await projectAll(log, doomed(store, doom), SMALL_COMMITS, { control })
    await log.close()
  },
})
