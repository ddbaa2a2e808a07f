// Recomputes a tally only from its served evidence, and compares it with the served numbers.

import { toKnownCounts } from '../../../../ingest/contract/compare-tally.ts'
import type { GovParams, TallyCounts } from '../../../../ingest/contract/facts.ts'
import type { TallyStrategy } from '../../../../ingest/contract/tally-rule.ts'
import { type RunningTally, startTally, type TallyPool } from '../../../../ingest/tally/tally.ts'
import { AppError } from '../../../base/runtime/errors.ts'
import {
  createRollcallClient,
  type ProposalResponse,
  type RollcallClient,
} from './rollcall-client.ts'
import { createWorking, type Working } from './working.ts'

export type VerifyOptions = {
  url: string
  proposalId: string
  /** By default the latest round. */
  round: number | undefined
  signal: AbortSignal
}

const unavailable = (message: string): AppError =>
  new AppError('EVIDENCE_UNAVAILABLE', message, { expose: true })

/** The round is not known if the vote closed before the first indexed height; then there is no evidence. */
const findLatestRound = ({ proposalId, round, historyReason }: ProposalResponse): number => {
  if (round === 0) throw unavailable(`proposal ${proposalId} had no voting period`)
  if (round !== null) return round
  const reason = historyReason ?? 'its voting round is not known'
  throw unavailable(`there is no evidence of proposal ${proposalId}: ${reason}`)
}

const resolveRound = (
  proposalId: string,
  latest: number,
  requested: number | undefined,
): number => {
  if (requested === undefined) return latest
  if (requested > latest) {
    throw unavailable(`proposal ${proposalId} has no round ${requested}: the latest is ${latest}`)
  }
  return requested
}

const latestCounts = ({ proposalId, status, tally }: ProposalResponse): TallyCounts => {
  if (!tally?.final) {
    throw unavailable(`the vote on proposal ${proposalId} is still open: there is no tally yet`)
  }
  if (status === 'canceled') {
    throw unavailable(`proposal ${proposalId} was canceled: there is no tally`)
  }
  const { yes, abstain, no, noWithVeto } = tally
  const counts = { yes, abstain, no, noWithVeto }
  if (!toKnownCounts(counts)) {
    throw unavailable(`the chain's final tally of proposal ${proposalId} is not known`)
  }
  return counts
}

const readServedCounts = async (
  client: RollcallClient,
  proposal: ProposalResponse,
  round: number,
): Promise<TallyCounts> => {
  if (round === proposal.round) return latestCounts(proposal)
  const counts = await client.restartedTally(proposal.proposalId, round)
  if (counts) return counts
  throw unavailable(
    `the chain's tally of round ${round} of proposal ${proposal.proposalId} is not known`,
  )
}

type Added = {
  strategy: TallyStrategy
  pools: readonly TallyPool[]
  params: GovParams | null
  bondedTokens: string | null
  running: RunningTally
  ballots: number
}

const addEvidence = async (
  client: RollcallClient,
  proposalId: string,
  round: number,
): Promise<Added> => {
  let added: Added | undefined
  for await (const page of client.evidence(proposalId, round)) {
    const name = `the evidence of proposal ${proposalId}, round ${round},`
    if (page.round !== round) throw unavailable(`${name} is that of round ${page.round}`)
    if (!page.complete) throw unavailable(`${name} is incomplete: ${page.incompleteReason}`)
    const { strategy = 'inherit', pools = [], params = null, bondedTokens = null, items } = page
    if (strategy === 'none' || strategy === null) {
      throw unavailable(`${name} has no tally rules: the chain uses its own`)
    }
    added ??= {
      strategy,
      pools,
      params,
      bondedTokens,
      ballots: 0,
      running: startTally(pools, strategy),
    }
    for (const ballot of items) added.running.add(ballot)
    added.ballots += items.length
  }
  if (!added) throw unavailable(`there is no evidence of proposal ${proposalId}, round ${round}`)
  return added
}

/** Throws `EVIDENCE_UNAVAILABLE` if the evidence or the served tally is missing. */
export const verifyTally = async (options: VerifyOptions): Promise<Working> => {
  const { url, proposalId, signal } = options
  const client = createRollcallClient(url, signal)
  const proposal = await client.proposal(proposalId)
  const latest = findLatestRound(proposal)
  const round = resolveRound(proposalId, latest, options.round)
  const counts = await readServedCounts(client, proposal, round)
  const { running, ...evidence } = await addEvidence(client, proposalId, round)
  // A round before the last one was expedited: only an expedited vote has another round.
  const expedited = round < latest || proposal.expedited
  return createWorking(running.finish(), {
    proposalId,
    round,
    ...evidence,
    expedited,
    served: counts,
  })
}
