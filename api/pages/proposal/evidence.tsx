// How the count is checked: it is compared with the tally of the chain, and its evidence can be read.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Tally } from '../../schemas/tally.ts'
import { Details, Numbers, Section } from '../../view/blocks.tsx'
import { BaseAmount, Link, Reason } from '../../view/parts.tsx'
import { addFormat, withQuery } from '../../view/paths.ts'
import { OPTIONS } from '../../words/options.ts'
import { explainHistory, MatchBadge } from './state.tsx'

const MEANINGS: Readonly<Record<Tally['matchesChain'], string>> = {
  yes:
    'Rollcall counted all votes again, from every ballot and every delegation. ' +
    'Its result equals that of the chain to the last unit, for every option.',
  no: 'Rollcall counted all votes again, and its result differs from that of the chain.',
  unknown:
    'Rollcall could not count all votes again, or the result of the chain is not known. ' +
    'The numbers above are from the chain, where they are known.',
}

const CAPTION =
  'In the smallest unit of the chain. Rollcall truncates to whole units once, as the chain does.'

type Extras = ProposalPageData['extras']

function BothResults({ of: compared }: { of: Extras['compared'] }) {
  if (!compared) return null
  const { computed, chain } = compared
  return (
    <Details id="evidence-numbers" summary="Both results in numbers">
      <Numbers
        label="Both results"
        caption={CAPTION}
        columns={['Option', 'Rollcall', 'Chain']}
        rows={OPTIONS.map(({ sum, label }) => [
          label,
          <BaseAmount base={computed[sum]} />,
          <BaseAmount base={chain[sum]} />,
        ])}
      />
    </Details>
  )
}

const OPEN =
  'The vote is open. Rollcall counts every ballot with the delegations of its voter. ' +
  'When the vote closes, it compares its count with the result of the chain.'

const REPORTED =
  'The vote is open. The numbers are those that a node of the chain reports. ' +
  'When the vote closes, they are the result of the chain.'

function Result({ tally, extras }: { tally: Tally; extras: Extras }) {
  if (!tally.final) return <p>{tally.rule.reported ? REPORTED : OPEN}</p>
  const { matchesChain, matchesChainReason: reason } = tally
  return (
    <>
      <p>
        <MatchBadge of={matchesChain} />
      </p>
      <p>
        {MEANINGS[matchesChain]}
        {reason !== null && (
          <>
            {' '}
            Reason: <Reason of={reason} />.
          </>
        )}
      </p>
      <BothResults of={extras.compared} />
    </>
  )
}

function HowToCheck({ proposalId }: { proposalId: string }) {
  return (
    <Details id="evidence-how" summary="What the evidence contains, and how to check it">
      <p>
        For every voter: the options with their weights, and each delegation with its shares, as
        they were in the block of the count. For every validator: its stake and its shares. With the
        rules that applied, you can recompute the result. Developers run{' '}
        <code>rollcall tally verify {proposalId}</code>: it reads only this evidence and prints each
        step.
      </p>
    </Details>
  )
}

export function Evidence({ of: proposal }: { of: ProposalPageData }) {
  const { tally, proposalId, extras, round } = proposal
  if (!tally) return null
  const api = `/api/proposals/${proposalId}`
  const query = { round: extras.rounds.length > 1 ? `${extras.shownRound}` : '' }
  const ballots = withQuery(`${api}/ballots`, query)
  const history = explainHistory(proposal)
  return (
    <Section id="evidence" title="Check the count" isLive>
      <Result tally={tally} extras={extras} />
      {history && <p>{history}</p>}
      {round !== null && <HowToCheck proposalId={proposalId} />}
      <ul>
        <li>
          <Link to={withQuery(`${api}/evidence`, query)}>Evidence (JSON)</Link>
        </li>
        <li>
          <Link to={ballots}>Ballots (JSON)</Link>
        </li>
        <li>
          <Link to={addFormat(ballots, 'csv')}>Ballots (CSV)</Link>
        </li>
        <li>
          <Link to={`${api}/events`}>Events (JSON)</Link>
        </li>
      </ul>
    </Section>
  )
}
