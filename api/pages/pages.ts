// All pages of a query, in the order of the navigation.
import { LISTS } from '../resources/operations.ts'
import { ballotsPage } from './ballots.ts'
import { createListPages } from './list-page.ts'
import type { Page } from './page.ts'
import { poolPage } from './pool.ts'
import { poolsPage } from './pools.ts'
import { voterPage } from './voter.ts'

export const PAGES: readonly Page<unknown>[] = [
  ballotsPage,
  poolsPage,
  poolPage,
  voterPage,
  ...createListPages(LISTS),
]
