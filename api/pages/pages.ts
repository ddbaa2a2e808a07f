// All pages of a query, in the order of the navigation.
import { ballotsPage } from './ballots.tsx'
import { homePage } from './home.tsx'
import { lightBlocksPage } from './light-blocks.tsx'
import type { Page } from './page.ts'
import { poolPage } from './pool.tsx'
import { poolsPage } from './pools.tsx'
import { proposalPage } from './proposal/page.tsx'
import { proposalsPage } from './proposals.tsx'
import { voterPage } from './voters.tsx'

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
