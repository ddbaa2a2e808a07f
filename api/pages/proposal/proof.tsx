// The proof of the result: verified in the browser or with the command, without trust in Rollcall.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import { VERIFIER } from '../../view/assets.ts'
import { Section } from '../../view/blocks.tsx'
import type { PageContext } from '../../view/context.ts'
import { Link, Reason, toHref } from '../../view/parts.tsx'
import { withQuery } from '../../view/paths.ts'

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
