// Tests that the log in memory follows the contract of the real logs.
import { describeEventLog } from '../../support/log/event-log-contract.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'

describeEventLog('the log in memory', () => {
  const storage = createMemoryLogStorage()
  return Promise.resolve({
    open: () => Promise.resolve(openMemoryLog(storage)),
    openReader: () => Promise.resolve(openMemoryLog(storage)),
    remove: () => Promise.resolve(),
  })
})
