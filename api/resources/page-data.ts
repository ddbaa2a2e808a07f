// The data of each page of the web UI, and the type of its renderers.
import type { Static } from 'typebox'
import type { DisplayUnit } from '../display-unit.ts'
import type { ProposalExtras } from '../read/queries/proposal-extras.ts'
import type { VoterBallotPage } from '../schemas/ballot.ts'
import type { DepositPage } from '../schemas/deposit.ts'
import type { Health } from '../schemas/health.ts'
import type { PoolPage, PoolRecordPage } from '../schemas/pool.ts'
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
  }
  pools: Static<typeof PoolPage>
  pool: Static<typeof PoolRecordPage>
  /** The form for a voter address: the input, and why it is not valid. */
  voters: { address: string; problem: string | null }
  voter: Static<typeof VoterBallotPage>
  status: Health
  /** The page for errors. */
  problem: ProblemBody
}
export type PageName = keyof PageData

/** The context of a page: the prefix of its links and the parameters of its path. */
export type PageContext = {
  baseUrl: string
  params: Readonly<Record<string, string>>
  /** The unit of displayed amounts. Without it, amounts are in the chain's base unit. */
  unit?: DisplayUnit | undefined
  /** True if the data is that of the demo chain. */
  isDemo?: boolean
  /** True if recent heights of the chain are not served yet. */
  isBehind?: boolean
  /** True if the chain has no x/gov. */
  lacksGov?: boolean
}

/** Pure, because the text is cached. */
export type Renderers = {
  [Name in PageName]: (data: PageData[Name], at: PageContext) => string
}
