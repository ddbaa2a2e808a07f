// A short reading of each result for a model: what it is, the important numbers, and one line per row. Pure.
import type { Static } from 'typebox'
import type { Coin } from '../../ingest/contract/facts.ts'
import { formatHundredths, truncateTo } from '../display-unit.ts'
import { describeHistory, describeRule, NOTHING_EXECUTED, pluralize } from '../in-words.ts'
import { quoteMoniker } from '../pool-search.ts'
import { isOpen } from '../proposal-status.ts'
import { SHARE_UNITS } from '../read/queries/values.ts'
import type { VoterBallotPage } from '../schemas/ballot.ts'
import type { AsOf } from '../schemas/common.ts'
import type { DepositPage } from '../schemas/deposit.ts'
import type { Health } from '../schemas/health.ts'
import type { PoolPage, PoolRecordPage } from '../schemas/pool.ts'
import type { ProposalProof } from '../schemas/proof.ts'
import type { ProposalDetail, ProposalPage, ProposalSummary } from '../schemas/proposal.ts'
import type { Tally } from '../schemas/tally.ts'
import type { VotePage, VoteRecord } from '../schemas/vote.ts'
import { computeShares } from '../shares.ts'
import { cut } from '../shortened.ts'

/** `rows` are lines of a list, which are left out first. */
export type Reading = { lines: string[]; rows: string[] }

const MAX_TITLE_LENGTH = 80
const MAX_SENTENCE_LENGTH = 300
const MAX_EXPLANATIONS = 5

const quote = (text: string): string => JSON.stringify(cut(text, MAX_TITLE_LENGTH))

/** `"0.4312"` → `43.12 %`. */
const percent = (share: string | null): string => {
  if (share === null) return 'not known'
  const [whole = '0', places = ''] = share.split('.')
  const hundredths = BigInt(whole) * SHARE_UNITS + BigInt(places.padEnd(4, '0').slice(0, 4))
  return `${formatHundredths(hundredths)} %`
}

const minutes = (time: string | null): string =>
  time === null ? 'a time that is not known' : `${time.slice(0, 16)}Z`

const describeAsOf = ({ chainId, height, time, demo }: AsOf): string =>
  `As of block ${height} (${minutes(time)}) of ${chainId}${demo ? ', a demo chain with invented data' : ''}.`

const OPTIONS = ['yes', 'no', 'abstain', 'noWithVeto'] as const

/** Options without votes are left out. */
const describeTally = (tally: Tally | null): string => {
  if (tally === null) return 'no tally'
  const { matchesChainReason: reason } = tally
  if (tally.yes === null) return `votes not known${reason === null ? '' : ` (${quote(reason)})`}`
  const sums = OPTIONS.map((option) => BigInt(tally[option] ?? '0'))
  const shares = sums.some((sum) => sum > 0n) ? computeShares(sums) : []
  const votes = OPTIONS.flatMap((option, at) =>
    sums[at] === 0n ? [] : [`${option} ${percent(shares[at] ?? null)}`],
  )
  return `${votes.join(', ') || 'no votes'}; turnout ${percent(tally.turnout)}`
}

const describeState = (proposal: ProposalSummary): string => {
  const { status, votingEndTime, depositEndTime, outcomeReason } = proposal
  if (status === 'voting_period') return `${status} until ${minutes(votingEndTime)}`
  if (isOpen(proposal)) return `${status} until ${minutes(depositEndTime)}`
  return outcomeReason === null ? status : `${status} (${outcomeReason})`
}

const describeList = (
  what: string,
  { items, page }: { items: readonly unknown[]; page: { totalItems: number | null } },
): string => `${items.length} of ${page.totalItems ?? 'an unknown number of'} ${what}.`

const choose = (options: VoteRecord['vote']): string =>
  options === null
    ? 'no vote of its own'
    : options.options
        .map(({ option, weight }) =>
          Number(weight) === 1 ? option : `${option} ${percent(truncateTo(weight, 4))}`,
        )
        .join(', ')

const describePower = (power: string | null): string =>
  power === null ? 'power not known' : `power ${truncateTo(power, 0)}`

export const readProposals = (body: Static<typeof ProposalPage>): Reading => ({
  lines: [describeList('proposals, newest first', body), describeAsOf(body.asOf)],
  rows: body.items.map(
    (item) =>
      `${item.proposalId} ${quote(item.title)}: ${describeState(item)}; ${describeTally(item.tally)}`,
  ),
})

export const readProposal = (body: Static<typeof ProposalDetail>): Reading => {
  const { proposalId, title, tally, explanations, messageCount, votes, truncated, asOf } = body
  const limits =
    tally &&
    `Quorum ${percent(tally.quorum)}, threshold ${percent(tally.threshold)}, veto ${percent(tally.vetoThreshold)}. Final: ${tally.final}. Equal to the tally of the chain: ${tally.matchesChain}.`
  const rule = tally && describeRule(tally)
  const shown = explanations.slice(0, MAX_EXPLANATIONS)
  return {
    lines: [
      `Proposal ${proposalId} ${quote(title)}: ${describeState(body)}.`,
      `Votes: ${describeTally(tally)}.`,
      ...(limits === null ? [] : [limits]),
      ...(rule === null ? [] : [rule]),
      messageCount === 0
        ? NOTHING_EXECUTED
        : `It has ${pluralize(messageCount, 'message')}, described in explanations.`,
      ...shown.map(({ summary }) => `- ${cut(summary, MAX_SENTENCE_LENGTH)}`),
      `votes has ${votes.items.length} of ${votes.page.totalItems} pools; list_proposal_votes lists all.`,
      ...(truncated ? ['Long texts are shortened; wholeAt is the URL of all of it.'] : []),
      describeAsOf(asOf),
    ],
    rows: [],
  }
}

export const readVotes = (body: Static<typeof VotePage>): Reading => ({
  lines: [
    describeList('pools with a vote, or with a vote of their delegators', body),
    describeAsOf(body.asOf),
  ],
  rows: body.items.map(
    ({ pool, vote, votingPower }) =>
      `${quoteMoniker(pool.moniker)}: ${choose(vote)}, ${describePower(votingPower)}`,
  ),
})

const formatCoins = (coins: readonly Coin[]): string =>
  coins.map(({ amount, denom }) => `${amount} ${denom}`).join(' + ') || 'nothing'

export const readDeposits = (body: Static<typeof DepositPage>): Reading => ({
  lines: [describeList('deposits, oldest first', body), describeAsOf(body.asOf)],
  rows: body.items.map(
    ({ depositor, amount, time }) =>
      `${depositor ?? 'unknown depositor'}: ${formatCoins(amount)}, ${minutes(time)}`,
  ),
})

export const readProof = (body: ProposalProof): Reading => {
  const { proposalId, round, height, reason, links, asOf } = body
  const subject = round === 0 ? 'the submission' : `the end of round ${round}`
  return {
    lines: [
      `Proof of proposal ${proposalId} at ${subject}, height ${height}.`,
      reason === null
        ? 'It has the value, the Merkle proof, the header and the commit.'
        : `A part is null: ${reason}.`,
      `A program verifies it: \`rollcall proof verify ${proposalId}\` with ${links.self}.`,
      describeAsOf(asOf),
    ],
    rows: [],
  }
}

export const readPoolVotes = (body: Static<typeof PoolRecordPage>): Reading => ({
  lines: [
    describeList('votes of this pool, newest proposal first', body),
    `It voted on ${body.participation.proposalsVoted} proposals and missed ${body.participation.proposalsMissed}.`,
    describeAsOf(body.asOf),
  ],
  rows: body.items.map(
    ({ proposalId, title, status, vote, votingPower, missed }) =>
      `${proposalId} ${quote(title)} (${status}): ${missed ? 'missed' : choose(vote)}, ${describePower(votingPower)}`,
  ),
})

const MAX_NAMED = 3

/** The pools of this page with the most missed proposals. */
const describeMissed = (pools: Static<typeof PoolPage>['items']): string[] => {
  const named = pools
    .filter(({ proposalsMissed }) => proposalsMissed > 0)
    .toSorted((a, b) => b.proposalsMissed - a.proposalsMissed)
    .slice(0, MAX_NAMED)
    .map(({ moniker, proposalsMissed }) => `${quoteMoniker(moniker)} ${proposalsMissed}`)
  return named.length === 0 ? [] : [`Most missed votes of these: ${named.join(', ')}.`]
}

export const readPools = (body: Static<typeof PoolPage>): Reading => ({
  lines: [describeList('pools', body), ...describeMissed(body.items), describeAsOf(body.asOf)],
  rows: body.items.map(
    ({ moniker, status, jailed, bondedTokens, proposalsVoted, proposalsMissed }) =>
      `${quoteMoniker(moniker)} ${status}${jailed ? ', jailed' : ''}: ${bondedTokens} tokens, voted ${proposalsVoted}, missed ${proposalsMissed}`,
  ),
})

export const readVoterVotes = (body: Static<typeof VoterBallotPage>): Reading => ({
  lines: [
    describeList('votes of this account, newest proposal first', body),
    describeAsOf(body.asOf),
  ],
  rows: body.items.map(
    ({ proposalId, title, status, options, votingPower }) =>
      `${proposalId} ${quote(title)} (${status}): ${choose({ options, height: null, time: null, txHash: null })}, ${describePower(votingPower)}`,
  ),
})

export const readStatus = ({ status, chain, behind, limitations, history }: Health): Reading => ({
  lines: [
    `Status ${status}.`,
    chain === null ? 'Nothing is indexed yet.' : describeAsOf(chain),
    `Heights behind the chain: ${behind.heights ?? 'not known'}.`,
    ...limitations.map(({ message }) => `- ${cut(message, MAX_SENTENCE_LENGTH)}`),
    ...(history === null ? [] : [`History: ${describeHistory(history)}`]),
  ],
  rows: [],
})
