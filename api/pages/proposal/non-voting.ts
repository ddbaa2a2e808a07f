// The validators that have not voted, by bonded tokens.
import { amount, pool, quoted } from '../../document/line.ts'
import { type Block, folded, numbers, paragraph, section } from '../../document/tree.ts'
import { pluralize } from '../../in-words.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

const SHOWN = 15

type NonVotingPools = NonNullable<ProposalPageData['extras']['nonVotingPools']>

const TITLE = 'Non-voting validators'

const NONE = {
  final: 'No validator is known to have missed this vote.',
  open: 'All active validators have voted.',
}

const EXPLAINED = {
  final: (total: number) =>
    `${pluralize(total, 'validator was', 'validators were')} in the tally and did not vote. ` +
    'The stake is that of the tally. It includes delegators who voted themselves.',
  open: (total: number) =>
    `${pluralize(total, 'active validator has', 'active validators have')} not voted yet. ` +
    'The stake is the current one.',
}

const poolTable = (pools: NonVotingPools['pools'], label: string): Block =>
  numbers({
    label,
    columns: ['Validator', 'Stake'],
    rows: pools.map((each) => [pool(each), amount(each.bondedTokens)]),
  })

/** Only a validator whose delegators voted has a row above, so its filter finds fewer of them. */
const countRowsAbove = ({ votes }: ProposalPageData, { pools, total }: NonVotingPools): string => {
  if (votes.page.totalPages > 1 || pools.length < total) return ''
  const missing = new Set(pools.map(({ operatorAddress }) => operatorAddress))
  const listed = votes.items.filter(
    ({ vote, pool: { operatorAddress } }) => vote === null && missing.has(operatorAddress),
  ).length
  if (listed === total) return ''
  const some =
    listed === 0 ? 'None of them has' : `${listed} of them ${listed === 1 ? 'has' : 'have'}`
  return ` ${some} a row in the table above: a row needs a vote of the validator or of a delegator.`
}

const writeContent = (proposal: ProposalPageData, found: NonVotingPools): readonly Block[] => {
  const { isFinal, total, pools, unknownReason } = found
  const state = isFinal ? 'final' : 'open'
  if (unknownReason !== null) {
    return [
      paragraph(['It is not known which validators did not vote: ', quoted(unknownReason), '.']),
    ]
  }
  if (total === 0) return [paragraph(NONE[state])]
  const rest = pools.slice(SHOWN)
  return [
    paragraph(`${EXPLAINED[state](total)}${countRowsAbove(proposal, found)}`),
    poolTable(pools.slice(0, SHOWN), `Table: ${TITLE}`),
    rest.length > 0 &&
      folded(
        'non-voting-rest',
        `${rest.length} more`,
        poolTable(rest, `Table: ${TITLE}, continued`),
      ),
  ]
}

export const writeNonVoting = (proposal: ProposalPageData): Block => {
  const { nonVotingPools } = proposal.extras
  return (
    nonVotingPools &&
    section(
      { id: 'non-voting', title: TITLE, isLive: true },
      ...writeContent(proposal, nonVotingPools),
    )
  )
}
