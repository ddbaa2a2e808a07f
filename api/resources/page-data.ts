// The data of each page of the web UI, and the type of its renderers.
import type { Static } from 'typebox'
import type { PageContext } from '../document/context.ts'
import type { AddressPrefixes } from '../read/queries/address-prefixes.ts'
import type { EarlierProposals } from '../read/queries/earlier-proposals.ts'
import type { ProposalExtras } from '../read/queries/proposal-extras.ts'
import type { DepositPage } from '../schemas/deposit.ts'
import type { Health } from '../schemas/health.ts'
import type { Pool } from '../schemas/pool.ts'
import type { ProblemBody } from '../schemas/problem.ts'
import type { ProposalDetail, ProposalPage } from '../schemas/proposal.ts'

/** By the name of the page. */
export type PageData = {
  /** The newest proposals and the open votes; null while no data is available. */
  home: (Static<typeof ProposalPage> & { open: Static<typeof ProposalPage> }) | null
  proposals: Static<typeof ProposalPage>
  /** `tally` and `votes` belong to one round. `deposits` is the first page. */
  proposal: Static<typeof ProposalDetail> & {
    deposits: Static<typeof DepositPage>
    extras: ProposalExtras
    earlier: EarlierProposals
  }
  /** The form for a voter address: the input, why it is not valid, and the prefixes of examples. */
  voters: { address: string; problem: string | null; prefixes: AddressPrefixes | null }
  /** What the search box found, if the text names no single page. `proposals` is the first page of its list. */
  search: {
    text: string
    pools: readonly Pool[]
    poolCount: number
    proposals: Static<typeof ProposalPage>
  }
  status: Health
  /** The page for errors. */
  problem: ProblemBody
}
export type PageName = keyof PageData

/** Pure, because the text is cached. */
export type Renderers = {
  [Name in PageName]: (data: PageData[Name], at: PageContext) => string
}
