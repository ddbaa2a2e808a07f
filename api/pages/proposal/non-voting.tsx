// The validators that have not voted, by bonded tokens.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import { Details, Numbers, Section } from '../../view/blocks.tsx'
import { Amount, PoolLink, Quoted } from '../../view/parts.tsx'
import { pluralize } from '../../words/in-words.ts'

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

function PoolTable({ pools, label }: { pools: NonVotingPools['pools']; label: string }) {
  return (
    <Numbers
      label={label}
      columns={['Validator', 'Stake']}
      rows={pools.map((pool) => [<PoolLink of={pool} />, <Amount base={pool.bondedTokens} />])}
    />
  )
}

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

function Found({ of: proposal, found }: { of: ProposalPageData; found: NonVotingPools }) {
  const { isFinal, total, pools, unknownReason } = found
  const state = isFinal ? 'final' : 'open'
  if (unknownReason !== null) {
    return (
      <p>
        It is not known which validators did not vote: <Quoted text={unknownReason} />.
      </p>
    )
  }
  if (total === 0) return <p>{NONE[state]}</p>
  const rest = pools.slice(SHOWN)
  return (
    <>
      <p>
        {EXPLAINED[state](total)}
        {countRowsAbove(proposal, found)}
      </p>
      <PoolTable pools={pools.slice(0, SHOWN)} label={`Table: ${TITLE}`} />
      {rest.length > 0 && (
        <Details id="non-voting-rest" summary={`${rest.length} more`}>
          <PoolTable pools={rest} label={`Table: ${TITLE}, continued`} />
        </Details>
      )}
    </>
  )
}

export function NonVoting({ of: proposal }: { of: ProposalPageData }) {
  const { nonVotingPools } = proposal.extras
  if (!nonVotingPools) return null
  return (
    <Section id="non-voting" title={TITLE} isLive>
      <Found of={proposal} found={nonVotingPools} />
    </Section>
  )
}
