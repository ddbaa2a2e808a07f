// How the count is checked: it is compared with the tally of the chain, its evidence can be read, and the chain can prove its result.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Tally } from '../../schemas/tally.ts'
import { VERIFIER } from '../../view/assets.ts'
import { Details, Numbers, Section } from '../../view/blocks.tsx'
import { BaseAmount, Link, Reason, toHref } from '../../view/parts.tsx'
import type { PageContext } from '../../view/paths.ts'
import { addFormat, withQuery } from '../../view/paths.ts'
import { OPTIONS } from '../../words/options.ts'
import { explainHistory, MatchBadge } from './head.tsx'

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

/** Statuses with a result that the chain stores. */
const DECIDED: ReadonlySet<string> = new Set(['passed', 'rejected', 'failed'])

export const canBeProved = ({ status }: ProposalPageData): boolean =>
  DECIDED.has(status) || status === 'voting_period'

type Proved = { proposalId: string; round: number }

/** Hidden until the script is loaded, which requests the proof. */
function ProofForm({ proposalId, round }: Proved, at: PageContext) {
  return (
    <>
      <form
        id="proof-form"
        data-proposal={proposalId}
        data-round={round}
        data-verifier={toHref(VERIFIER.path, at)}
        hidden
      >
        <div class="filters">
          <p class="field">
            <label for="proof-height">Block number</label>
            <input
              id="proof-height"
              inputmode="numeric"
              autocomplete="off"
              required
              pattern="[1-9][0-9]{0,14}"
              title="A number in digits only, such as 1200000"
              aria-describedby="proof-hint"
            />
          </p>
          <p class="field wide">
            <label for="proof-hash">Hash of that block</label>
            <input
              id="proof-hash"
              autocomplete="off"
              spellcheck={false}
              required
              pattern="[0-9A-Fa-f]{64}"
              title="64 digits and letters from A to F"
              aria-describedby="proof-hint"
            />
          </p>
          <button>Verify in this browser</button>
        </div>
        <p id="proof-hint" class="small soft">
          Use one of the <Link to="/light-blocks">blocks that Rollcall keeps</Link>, not after the
          end of the vote. Look up the hash of that block elsewhere, such as in a block explorer.
        </p>
      </form>
      <div id="proof-result" role="status" />
    </>
  )
}

function ProofByCommand({ proposalId, round }: Proved, at: PageContext) {
  // The round is explicit: right after the vote, the latest proof is still from the submission.
  const path = withQuery(`/api/proposals/${proposalId}/proof`, { round: `${round}` })
  return (
    <p>
      For developers, with the command:{' '}
      <code>
        {`rollcall proof verify ${proposalId} --round ${round} --trust HEIGHT:HASH --url ${at.baseUrl || 'URL'}`}
      </code>
      . The data: <Link to={path}>Proof (JSON)</Link>.
    </p>
  )
}

/** A result without a time is from before the first indexed height. */
function Content({ of }: { of: ProposalPageData }) {
  const { proposalId, status, closedTime, history, historyReason, extras } = of
  if (!DECIDED.has(status)) {
    return (
      <p>
        After the vote, the chain can prove the result. You can then check the proof here, and need
        not trust Rollcall.
      </p>
    )
  }
  if (history === 'reconstructed' || closedTime === null) {
    return (
      <p>
        Rollcall has no proof of the result. Reason:{' '}
        {history === 'reconstructed' ? (
          'the vote ended before the first indexed height'
        ) : (
          <Reason of={historyReason} />
        )}
        .
      </p>
    )
  }
  const proved = { proposalId, round: extras.shownRound }
  return (
    <>
      <p>
        The chain itself can prove the status and the final tally of this proposal, so you need not
        trust Rollcall. You need the hash of one block (its fingerprint) from a source that you
        trust, such as a block explorer.
      </p>
      <p>
        Validators with more than two thirds of the stake have signed the result. The proof does not
        cover single votes, because the chain deletes them after the vote:{' '}
        <a href="#evidence">check the count</a> instead.
      </p>
      <ProofForm {...proved} />
      <ProofByCommand {...proved} />
    </>
  )
}

export function Proof({ of }: { of: ProposalPageData }) {
  if (!canBeProved(of)) return null
  return (
    <Section id="proof" title="Proof" isLive>
      <Content of={of} />
    </Section>
  )
}
