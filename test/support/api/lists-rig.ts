// The API over the read model of `lists-story.ts`. The tests of a file share one store.
import { type Commit, seed } from '../store/read-model-seed.ts'
import { useTestStore } from '../store/test-store.ts'
import { createApiRig } from './api-rig.ts'
import { seedListsStory } from './lists-story.ts'

/** Returns the setup of a test. `changes`: the test writes rows, so the next test seeds the store again. */
export const useListsRig = () => {
  const testStore = useTestStore()
  let isSeeded = false
  return async ({ changes = false } = {}) => {
    const { store } = testStore
    if (!isSeeded) await seedListsStory(store)
    isSeeded = !changes
    const rig = await createApiRig(store)
    const get = async (url: string) => (await rig.ask(url)).json()
    const commit = async (rows: Commit) => {
      await seed(store, rows)
      await rig.state.refresh()
    }
    return { ...rig, get, commit, tables: store }
  }
}

/** All pages of a list, by following `links.next`. */
// biome-ignore lint/suspicious/noExplicitAny: pages of every list
export const walkPages = async (get: (url: string) => Promise<any>, first: string) => {
  const pages = []
  for (let url = first; url !== null; ) {
    const page = await get(url)
    pages.push(page)
    url = page.links.next
  }
  return pages
}
