// Tests that the log in memory keeps the contracts of the real logs.
import { describeAppender } from '../../../contracts/appender.ts'
import { describeEventLog, type LogStorage } from '../../../contracts/log.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'

const createStorage = async (options: { shared: boolean }): Promise<LogStorage> => {
  const storage = createMemoryLogStorage()
  return {
    open: async () => openMemoryLog(storage, options),
    openReader: async () => openMemoryLog(storage, { readOnly: true }),
    remove: async () => {},
  }
}

describeEventLog('the log in memory', () => createStorage({ shared: false }))
describeAppender('a shared log in memory', () => createStorage({ shared: true }))
