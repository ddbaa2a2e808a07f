// The claim page. Its script shows and sends everything; without a wallet, a text can be signed elsewhere and pasted.
import { type Html, html, markupOf } from '../../infra/html/html.ts'
import { siteNavigation } from '../../infra/html/page-frame.ts'

// No link to the content and no search: the secret of a claim is in the fragment, and the policy forbids forms.
const page = (title: string, main: Html, head?: Html): string =>
  `${markupOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Rollcall</title>
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="delegation/icon.svg">
<link rel="stylesheet" href="delegation/style.css">
${head}
</head>
<body>
<header class="site"><div class="site-row">
${siteNavigation('.')}
</div></header>
<main id="main" class="claim">
${main}
</main>
</body>
</html>`)}\n`

const DENY = html`<button type="button" class="deny">Refuse: it is not my agent</button>`

/** The requests that the script would send. */
const commands = (
  url: string,
): Html => html`<pre tabindex="0" aria-label="The same steps as commands">\
# what is claimed: compare user_code with the one your agent shows
curl -s ${url}/attempt -H 'content-type: application/json' \\
  -d '{"claim_attempt_token":"the value of claim_attempt_token="}'
# the text to sign (ADR-036)
curl -s ${url}/text -H 'content-type: application/json' \\
  -d '{"claim_attempt_token":"…","chain_id":"…","address":"…"}'
# claim
curl -s ${url}/complete -H 'content-type: application/json' \\
  -d '{"claim_attempt_token":"…","chain_id":"…","address":"…","pub_key":{"value":"…"},"signature":"…"}'
# or refuse
curl -s ${url}/deny -H 'content-type: application/json' \\
  -d '{"claim_attempt_token":"…"}'</pre>`

const withoutScript = (url: string): Html => html`<noscript>
<section class="notice">
<h2>This page needs JavaScript</h2>
<p>The secret of a claim is after the <code>#</code> of the address, which browsers never send, \
and only a script can read it there or speak to a wallet.
Without one this page cannot even show what is claimed. \
Nothing was claimed or refused by opening it; \
if you do nothing, the claim ends by itself within minutes.</p>
<p>Switch JavaScript on for this site and load the page again: \
it is this service's own script and nothing from elsewhere. Or take the same steps by hand:</p>
${commands(url)}
</section>
</noscript>`

const PROBLEM = html`<section id="problem" class="notice" role="group" \
aria-labelledby="problem-what" tabindex="-1" hidden>
<h2 id="problem-what"></h2>
<p id="problem-next"></p>
<p id="problem-detail" class="soft"></p>
<p><button id="retry" type="button" hidden>Ask the service again</button></p>
</section>`

const ATTEMPT = html`<section id="attempt" aria-labelledby="attempt-title" hidden>
<h2 id="attempt-title">What is claimed</h2>
<dl class="facts">
<dt>Registration</dt><dd><code id="registration"></code></dd>
<dt>Registered</dt><dd><time id="registered"></time></dd>
<dt>Calls itself</dt><dd><bdi id="client"></bdi> <span class="soft">(self-reported, not verified)</span></dd>
<dt>Code</dt><dd><code id="code"></code></dd>
<dt class="hinted">For this wallet only</dt><dd class="hinted"><code id="hint"></code></dd>
<dt>Time left</dt><dd><span id="left" class="left" role="timer"></span>, until <time id="ends"></time></dd>
</dl>
<div class="limits">
<div>
<h3>What a claim does</h3>
<ul>
<li>It says that this agent acts for you: your address is kept with its registration.</li>
<li>The agent gets a new token; those from before end.</li>
</ul>
</div>
<div>
<h3>What it does not allow</h3>
<ul>
<li><strong>No vote:</strong> the agent cannot vote for you.</li>
<li><strong>No funds:</strong> it cannot move, stake or spend anything. \
You sign a text, not a transaction; it costs nothing and goes to no chain.</li>
<li>It reads what everybody can read, before as after.</li>
</ul>
</div>
</div>
</section>`

const COMPARE = html`<section id="compare" aria-labelledby="compare-title" hidden>
<h2 id="compare-title" tabindex="-1">Does your agent show this code?</h2>
<p><span id="code-again" class="code-to-compare"></span></p>
<p>Continue only if it is the same, letter by letter, and if you asked the agent for it. \
If another person sent you here, refuse.</p>
<div class="choices">
<button id="confirm" type="button">The same: continue</button>
${DENY}
</div>
</section>`

const EXAMPLE = html`<pre id="example" tabindex="0" aria-label="Example of a signing command">\
npm install @cosmjs/amino@0.39.0
cat &gt; sign.mjs &lt;&lt;'END'
import { readFileSync } from 'node:fs'
import { env } from 'node:process'
import { makeSignDoc, Secp256k1HdWallet } from '@cosmjs/amino'
const wallet = await Secp256k1HdWallet.fromMnemonic(env.MNEMONIC, \
{ prefix: '<span id="example-prefix">cosmos</span>' })
const [{ address: signer }] = await wallet.getAccounts()
const data = readFileSync('claim.txt', 'utf8').trimEnd()
const value = { signer, data: Buffer.from(data).toString('base64') }
const message = { type: 'sign/MsgSignData', value }
const document = makeSignDoc([message], { gas: '0', amount: [] }, '', '', 0, 0)
const { signature } = await wallet.signAmino(signer, document)
console.log(JSON.stringify(signature))
END
node sign.mjs</pre>`

const MANUAL = html`<details id="manual">
<summary>Sign without a wallet in this browser</summary>
<p>Any tool that signs texts as ADR-036 has it will do. \
It needs no wallet here, and this page never needs a key or a recovery phrase: give those to no page.</p>
<form id="manual-signer">
<p><label for="address">Your address (<span id="prefix"></span>)</label>
<input id="address" class="code" required autocomplete="off" autocapitalize="off" spellcheck="false"></p>
<p><button>Show the text to sign</button></p>
</form>
<section id="manual-text" aria-labelledby="manual-text-title" hidden>
<h3 id="manual-text-title" tabindex="-1">1. Sign this text as it stands</h3>
<pre id="manual-claim-text" tabindex="0" aria-label="The text to sign"></pre>
<p><button type="button" data-copy="manual-claim-text">Copy the text</button></p>
<h3>2. For example, where the key is</h3>
<p>Save the text as <code>claim.txt</code>, put the recovery phrase into <code>MNEMONIC</code>, and run:</p>
${EXAMPLE}
<p id="example-limits" hidden>The keys of this chain are of Ethereum's kind, \
which this example does not sign with: use a tool of the chain.</p>
<p><button type="button" data-copy="example">Copy the example</button></p>
<form id="manual-signed">
<h3>3. Paste its answer</h3>
<p><label for="answer">JSON with <code>pub_key.value</code> and <code>signature</code>, \
both in base64, as <code>signArbitrary</code> answers</label>
<textarea id="answer" required rows="6" autocomplete="off" autocapitalize="off" spellcheck="false"></textarea></p>
<div class="choices">
<button>Claim this agent</button>
${DENY}
</div>
</form>
</section>
</details>`

const CHOOSE = html`<section id="choose" aria-labelledby="choose-title" hidden>
<h2 id="choose-title" tabindex="-1">Choose who signs</h2>
<p id="chain-choice"><label for="chain">Chain of your wallet</label><select id="chain"></select></p>
<ul id="wallets" class="choices" aria-label="Wallets in this browser"></ul>
<div id="no-wallet">
<p>No wallet was found in this browser. This page can speak to Keplr, Leap and Cosmostation. \
If you have one, switch its extension on and look again, or open the address of this page,
with all behind the <code>#</code>, where your wallet is.</p>
<p><button id="look-again" type="button">Look again</button></p>
</div>
<div class="choices">${DENY}</div>
${MANUAL}
</section>`

const SIGN = html`<section id="sign" aria-labelledby="sign-title" hidden>
<h2 id="sign-title" tabindex="-1">Read, then sign</h2>
<dl class="facts">
<dt>Account</dt><dd><bdi id="account"></bdi></dd>
<dt>Address</dt><dd><code id="account-address"></code></dd>
</dl>
<p id="changed"></p>
<p>The service made this text. Your wallet shows the same one: if it shows another, or a transaction, refuse there.</p>
<pre id="text" tabindex="0" aria-label="The text to sign"></pre>
<div class="choices">
<button id="sign-now" type="button"></button>
${DENY}
</div>
<p><button id="another" type="button">Use another wallet or way</button></p>
</section>`

const END = html`<section id="end" aria-labelledby="end-what" hidden>
<h2 id="end-what" tabindex="-1"></h2>
<p id="end-next"></p>
<dl id="end-facts" class="facts"></dl>
</section>`

const SCRIPTS = ['page', 'manual', 'service', 'view', 'wallets', 'words']

/** `url`: the public address of the page. */
export const delegationPage = (url: string): string =>
  page(
    'Claim an agent',
    html`<h1>Claim an agent</h1>
<p class="lead">An agent that reads here asks you to say that it is yours. \
You say so by signing a text with your wallet, or you refuse.</p>
${withoutScript(url)}
${PROBLEM}
${ATTEMPT}
${COMPARE}
${CHOOSE}
${SIGN}
${END}
<div class="status">
<p id="progress" role="status"></p>
<p id="waiting" hidden><button id="stop" type="button">Stop waiting</button></p>
</div>`,
    html`${SCRIPTS.map(
      (name) => html`<link rel="modulepreload" href="delegation/${name}.js">
`,
    )}<script type="module" src="delegation/page.js"></script>`,
  )

export const NO_CODE_FLOW_PAGE = page(
  'Nothing to authorise here',
  html`<h1>Nothing to authorise here</h1>
<p>This service has no authorization code flow, and no client is registered that it could send you back to.
Agents register at <code>POST /agent/identity</code>. \
A human claims one at the address that the agent gives, with its token behind a <code>#</code>.</p>`,
)
