// The log in memory keeps the contract of the real ones, or tests that use it would prove nothing.
import { describeEventLog } from '../../support/log/event-log-contract.ts'
import { createMemoryLogPlace, openMemoryLog } from '../../support/log/memory-log.ts'

describeEventLog('the log in memory', () => {
  const place = createMemoryLogPlace()
  return Promise.resolve({
    open: () => Promise.resolve(openMemoryLog(place)),
    openReader: () => Promise.resolve(openMemoryLog(place)),
    remove: () => Promise.resolve(),
  })
})
