// The proof section of a proposal: verifies its result in the browser or with the command, without trust in Rollcall.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { section } from '../document/html/elements.ts'
import { link, reasonText, toHref } from '../document/html/inline.ts'
import type { PageData } from '../resources/page-data.ts'
import { VERIFIER } from './assets.ts'

type Detail = PageData['proposal']

/** Statuses with a result that the chain stores. */
const DECIDED: ReadonlySet<string> = new Set(['passed', 'rejected', 'failed'])

const OPEN = html`<p>After the vote, the chain can prove the result. \
You can then check the proof here, and need not trust Rollcall.</p>`

const PROVED = html`<p>The chain itself can prove the status and the final tally of this proposal, \
so you need not trust Rollcall. You need the hash of one block (its fingerprint) \
from a source that you trust, such as a block explorer.</p>
<p>Validators with more than two thirds of the stake have signed the result. \
The proof does not cover single votes, because the chain deletes them after the vote: \
<a href="#evidence">check the count</a> instead.</p>`

type ProofContext = { proposalId: string; round: number; path: string; at: PageContext }

/** Hidden until the script is loaded. */
const form = ({ proposalId, round, at }: ProofContext): Html => html`<form id="proof-form" \
data-proposal="${proposalId}" data-round="${round}" data-verifier="${toHref(VERIFIER.path, at)}" hidden>
<div class="filters">
<p class="field"><label for="proof-height">Block number</label>\
<input id="proof-height" inputmode="numeric" autocomplete="off" required \
pattern="[1-9][0-9]{0,14}" aria-describedby="proof-hint"></p>
<p class="field wide"><label for="proof-hash">Hash of that block</label>\
<input id="proof-hash" autocomplete="off" spellcheck="false" required \
pattern="[0-9A-Fa-f]{64}" aria-describedby="proof-hint"></p>
<button>Verify in this browser</button>
</div>
<p id="proof-hint" class="small soft">Use one of the \
${link('/light-blocks', 'blocks that Rollcall keeps', at)}, not after the end of the vote. \
Look up the hash of that block elsewhere, such as in a block explorer.</p>
</form>
<div id="proof-result" role="status"></div>`

const byCommand = ({ proposalId, round, path, at }: ProofContext): Html => {
  const url = at.baseUrl === '' ? 'URL' : at.baseUrl
  return html`<p>For developers, with the command: \
<code>rollcall proof verify ${proposalId} --round ${round} --trust HEIGHT:HASH --url ${url}</code>. \
The data: ${link(path, 'Proof (JSON)', at)}.</p>`
}

export const hasProofSection = ({ status }: Detail): boolean =>
  DECIDED.has(status) || status === 'voting_period'

const NO_PROOF_OF_PAST = html`<p>Rollcall has no proof of the result. \
Reason: the vote ended before the first indexed height.</p>`

/** A result without a time is from before the first indexed height. */
const proofContent = (proposal: Detail, context: ProofContext): Html => {
  const { status, closedTime, history, historyReason } = proposal
  if (!DECIDED.has(status)) return OPEN
  if (history === 'reconstructed') return NO_PROOF_OF_PAST
  if (closedTime !== null) return html`${PROVED}${form(context)}${byCommand(context)}`
  return html`<p>Rollcall has no proof of the result. Reason: ${reasonText(historyReason)}.</p>`
}

/** Renders without the proof: the script requests it. */
export const proofSection = (proposal: Detail, at: PageContext): Html => {
  if (!hasProofSection(proposal)) return html``
  const { proposalId, extras } = proposal
  const { shownRound: round } = extras
  // The round is explicit: right after the vote, the latest proof is still from the submission.
  const path = `/api/proposals/${proposalId}/proof?round=${round}`
  const content = proofContent(proposal, { proposalId, round, path, at })
  return section({ id: 'proof', title: 'Proof', isLive: true }, content)
}
