// The pages for people: what each of them is made of, which is what REST answers, and what may be made of it.
import type { Static } from 'typebox'
import type { DisplayUnit } from '../display-unit.ts'
import type { ProposalExtras } from '../read/queries/proposal-extras.ts'
import type { VoterBallotPage } from '../schemas/ballot.ts'
import type { DepositPage } from '../schemas/deposit.ts'
import type { Health } from '../schemas/health.ts'
import type { PoolPage, PoolRecordPage } from '../schemas/pool.ts'
import type { ProblemBody } from '../schemas/problem.ts'
import type { ProposalDetail, ProposalPage } from '../schemas/proposal.ts'

/** By the page's name. */
export type PageData = {
  /** The newest proposals with those that are voted on; null while nothing can be read. */
  home: (Static<typeof ProposalPage> & { open: Static<typeof ProposalPage> }) | null
  proposals: Static<typeof ProposalPage>
  /** Of one round: `tally` and `votes` are that round's. With the first page of its deposits. */
  proposal: Static<typeof ProposalDetail> & {
    deposits: Static<typeof DepositPage>
    extras: ProposalExtras
  }
  pools: Static<typeof PoolPage>
  pool: Static<typeof PoolRecordPage>
  /** Where a voter is looked up: what was given, and why it is no address. */
  voters: { address: string; problem: string | null }
  voter: Static<typeof VoterBallotPage>
  status: Health
  /** Instead of any of them, with the status of the problem. */
  problem: ProblemBody
}
export type PageName = keyof PageData

/** Where the page stands: what its links start with, and what its path names. */
export type PageContext = {
  baseUrl: string
  params: Readonly<Record<string, string>>
  /** In which amounts are shown; the chain's base unit where absent. */
  unit?: DisplayUnit | undefined
}

/** Pure: the same data gives the same text, for it is kept. */
export type Renderers = {
  [Name in PageName]: (data: PageData[Name], at: PageContext) => string
}
