// All pages of a query, in the order of the navigation.
import { ballotsPage } from './ballots.ts'
import { homePage } from './home.ts'
import { lightBlocksPage } from './light-blocks.ts'
import type { Page } from './page.ts'
import { poolPage } from './pool.ts'
import { poolsPage } from './pools.ts'
import { proposalPage } from './proposal/page.ts'
import { proposalsPage } from './proposals.ts'
import { voterPage } from './voter.ts'

export const PAGES: readonly Page<unknown>[] = [
  homePage,
  proposalsPage,
  proposalPage,
  ballotsPage,
  poolsPage,
  poolPage,
  voterPage,
  lightBlocksPage,
]
