// The claim page as plain HTML. What it shows and sends is its script's business; without a wallet, a text can be pasted.

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${body}
</html>
`

export const DELEGATION_PAGE = page(
  'Claim an agent',
  `<main>
<h1>Claim an agent</h1>
<p id="status" role="status">This page works at the address that your agent gives you, with JavaScript on.</p>
<section id="attempt" hidden>
<dl>
<dt>Registration</dt><dd id="registration"></dd>
<dt>Registered</dt><dd id="registered"></dd>
<dt>Calls itself</dt><dd id="client"></dd>
<dt>Code</dt><dd><strong id="code"></strong></dd>
<dt>Ends</dt><dd id="ends"></dd>
</dl>
<p>Go on only if your agent shows you the same code. A claim says whose agent this is. It cannot vote and cannot move funds.</p>
<p><button id="deny" type="button">This is not my agent: refuse</button></p>
<h2>1. Your wallet</h2>
<form id="signer">
<p><label>Chain <select id="chain" required></select></label></p>
<p><label>Address <input id="address" required size="70" autocomplete="off" spellcheck="false"></label></p>
<p><button>Show the text to sign</button></p>
</form>
<section id="signing" hidden>
<h2>2. Sign this text as it stands (ADR-036)</h2>
<pre id="text"></pre>
<h2>3. Paste what your wallet or tool answers</h2>
<p>JSON with <code>pub_key.value</code> and <code>signature</code>, both in base64, as <code>signArbitrary</code> returns it.</p>
<form id="signed">
<p><textarea id="answer" required rows="8" cols="80" autocomplete="off" spellcheck="false"></textarea></p>
<p><button>Claim this agent</button></p>
</form>
</section>
</section>
</main>
<script src="delegation/page.js"></script>`,
)

export const NO_CODE_FLOW_PAGE = page(
  'Nothing to authorise here',
  `<main>
<h1>Nothing to authorise here</h1>
<p>This service has no authorization code flow, and no client is registered that it could send you back to.
Agents register at <code>POST /agent/identity</code>. A human claims one at the address that the agent gives, with its token behind a <code>#</code>.</p>
</main>`,
)
