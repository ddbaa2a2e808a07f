// The form that verifies the proof of a result in the browser. Its script shows it, and requests the proof.
import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { link, toHref } from '../document/html/inline.ts'
import { VERIFIER } from './assets.ts'

type Proved = { proposalId: string; round: number }

/** Hidden until the script is loaded. */
export const proofForm = (
  { proposalId, round }: Proved,
  at: PageContext,
): Html => html`<form id="proof-form" \
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
