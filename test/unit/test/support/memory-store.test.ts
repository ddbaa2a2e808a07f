// Tests that the store in memory keeps the contract of the tables.
import { describeTables } from '../../../contracts/store.ts'
import { createMemoryStore, type TableName } from '../../../support/store/memory-store.ts'

describeTables('the store in memory', async () => {
  const store = createMemoryStore()
  return {
    store,
    control: 'rollcall',
    final: async (table) => store.tables.final(table as TableName),
  }
})
