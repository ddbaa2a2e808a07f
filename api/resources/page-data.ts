// The data of each page of the web UI, and the type of its renderers.
import type { Static } from 'typebox'
import type { DisplayUnit } from '../display-unit.ts'
import type { AddressPrefixes } from '../read/queries/address-prefixes.ts'
import type { EarlierProposals } from '../read/queries/earlier-proposals.ts'
import type { ProposalExtras } from '../read/queries/proposal-extras.ts'
import type { BallotTablePage, VoterBallotPage } from '../schemas/ballot.ts'
import type { DepositPage } from '../schemas/deposit.ts'
import type { Health } from '../schemas/health.ts'
import type { Pool, PoolPage, PoolRecordPage } from '../schemas/pool.ts'
import type { ProblemBody } from '../schemas/problem.ts'
import type { LightBlockPage } from '../schemas/proof.ts'
import type { ProposalDetail, ProposalPage } from '../schemas/proposal.ts'
import type { BallotPageFacts } from './ballots-page.ts'

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
  ballots: Static<typeof BallotTablePage> & BallotPageFacts
  pools: Static<typeof PoolPage>
  /** From which a proof can start. */
  blocks: Static<typeof LightBlockPage>
  pool: Static<typeof PoolRecordPage>
  /** The form for a voter address: the input, why it is not valid, and the prefixes of examples. */
  voters: { address: string; problem: string | null; prefixes: AddressPrefixes | null }
  voter: Static<typeof VoterBallotPage>
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

/** The context of a page: the prefix of its links and the parameters of its path. */
export type PageContext = {
  baseUrl: string
  /** The URL of the service, for commands; the listening address if no public URL is configured. */
  serviceUrl?: string
  params: Readonly<Record<string, string>>
  /** The unit of displayed amounts. Without it, amounts are in the chain's base unit. */
  unit?: DisplayUnit | undefined
  /** The URL of a transaction in an explorer, with `{txHash}`, and perhaps `{height}`. */
  explorerTxUrl?: string | undefined
  /** True if the data is that of the demo chain. */
  isDemo?: boolean
  /** True if recent heights of the chain are not served yet. */
  isBehind?: boolean
  /** Time of the last block, if no new one comes. */
  noBlockSince?: string | undefined
  /** True if the chain has no x/gov. */
  lacksGov?: boolean
}

/** Pure, because the text is cached. */
export type Renderers = {
  [Name in PageName]: (data: PageData[Name], at: PageContext) => string
}
