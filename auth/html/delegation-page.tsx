// The claim page with its files, and the frame of all pages of this package. The scripts of the claim page show the claim,
// and connect a wallet.
import { readFileSync } from 'node:fs'
import type { ComponentChildren } from 'preact'
import { ICON, STYLE } from '../../infra/base/html/asset.ts'
import { PageHead, SiteNavigation, SiteNotice } from '../../infra/base/html/page-frame.tsx'
import { renderPage } from '../../infra/base/html/render.tsx'
import { locateFile } from '../../infra/base/runtime/product-files.ts'

const SCRIPTS = ['page.js', 'service.js', 'view.js', 'wallets.js']

const readText = (name: string): string =>
  readFileSync(locateFile(`auth/html/assets/${name}`), 'utf8')

/** What the pages load: a separate `auth` process serves the base style sheet and the icon itself. */
export const PAGE_FILES: readonly { name: string; mediaType: string; text: string }[] = [
  ...SCRIPTS.map((name) => ({
    name,
    mediaType: 'text/javascript; charset=utf-8',
    text: readText(name),
  })),
  { name: 'icon.svg', mediaType: ICON.mediaType, text: ICON.bytes.toString('utf8') },
  {
    name: 'style.css',
    mediaType: STYLE.mediaType,
    text: `${STYLE.bytes.toString('utf8')}\n${readText('page.css')}`,
  },
]

type FrameProps = {
  title: string
  /** The path of the base URL from the page. */
  root?: string
  head?: ComponentChildren
  notice: string | undefined
  children: ComponentChildren
}

// No skip link: the URL fragment has the claim token. No search: the policy forbids forms.
export function AuthPage({ title, root = '.', head, notice, children }: FrameProps) {
  return (
    <html lang="en">
      <head>
        <PageHead title={title} icon={`${root}/delegation/icon.svg`} />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href={`${root}/delegation/style.css`} />
        {head}
      </head>
      <body>
        <header class="site">
          <div class="site-row">
            <SiteNavigation root={root} />
          </div>
        </header>
        <SiteNotice text={notice} />
        <main id="main" class="claim">
          {children}
        </main>
      </body>
    </html>
  )
}

function Deny() {
  return (
    <button type="button" class="deny">
      Refuse: it is not my agent
    </button>
  )
}

/** The same requests as the script sends. */
const writeCommands = (url: string): string => `\
# show the claim: compare user_code with the code that your agent shows
curl -s ${url}/attempt -H 'content-type: application/json' \\
  -d '{"claim_attempt_token":"value of claim_attempt_token"}'
# get the text to sign (ADR-036)
curl -s ${url}/text -H 'content-type: application/json' \\
  -d '{"claim_attempt_token":"…","chain_id":"…","address":"…"}'
# claim, with what the signing tool prints
curl -s ${url}/complete -H 'content-type: application/json' \\
  -d '{"claim_attempt_token":"…","chain_id":"…","address":"…","pub_key":{"value":"…"},"signature":"…"}'
# or refuse
curl -s ${url}/deny -H 'content-type: application/json' \\
  -d '{"claim_attempt_token":"…"}'`

function Commands({ url }: { url: string }) {
  return (
    <pre tabindex={0} aria-label="The steps as commands">
      {writeCommands(url)}
    </pre>
  )
}

function WithoutScript({ url }: { url: string }) {
  return (
    <noscript>
      <section class="notice">
        <h2>This page needs JavaScript</h2>
        <p>
          The secret of a claim is after the <code>#</code> of the link. Browsers never send that
          part, so only a script can read it, show the claim and connect a wallet. Nothing was
          claimed or refused yet. If you do nothing, the claim expires within minutes.
        </p>
        <p>
          Enable JavaScript for this site and load the page again. All scripts are from this
          service. Or run the steps yourself:
        </p>
        <Commands url={url} />
      </section>
    </noscript>
  )
}

function Problem() {
  return (
    <section
      id="problem"
      class="notice"
      role="group"
      aria-labelledby="problem-what"
      tabindex={-1}
      hidden
    >
      <h2 id="problem-what" />
      <p id="problem-next" />
      <p id="problem-detail" class="soft" />
    </section>
  )
}

function Attempt() {
  return (
    <section id="attempt" aria-labelledby="attempt-title" hidden>
      <h2 id="attempt-title">Claim details</h2>
      <dl class="facts">
        <dt>Registration</dt>
        <dd>
          <code id="registration" />
        </dd>
        <dt>Registered</dt>
        <dd>
          <time id="registered" />
        </dd>
        <dt>Agent name</dt>
        <dd>
          <bdi id="client" /> <span class="soft">(self-reported, not verified)</span>
        </dd>
        <dt>Code</dt>
        <dd>
          <code id="code" />
        </dd>
        <dt class="hinted">Requested wallet</dt>
        <dd class="hinted">
          <code id="hint" />
        </dd>
        <dt>Expires in</dt>
        <dd>
          <span id="left" class="left" role="timer" />, at <time id="ends" />
        </dd>
      </dl>
      <div class="limits">
        <div>
          <h3>What a claim does</h3>
          <ul>
            <li>
              It states that this agent is yours: your address is stored with its registration.
            </li>
            <li>The agent gets a new token. Its earlier tokens become invalid.</li>
          </ul>
        </div>
        <div>
          <h3>What it does not allow</h3>
          <ul>
            <li>
              <strong>No votes:</strong> the agent cannot vote for you.
            </li>
            <li>
              <strong>No funds:</strong> it cannot move, stake or spend anything. You sign a text,
              not a transaction. It costs nothing and is not sent to a chain.
            </li>
            <li>
              <strong>No private data:</strong> the agent reads public data only.
            </li>
          </ul>
        </div>
      </div>
    </section>
  )
}

function Compare() {
  return (
    <section id="compare" aria-labelledby="compare-title" hidden>
      <h2 id="compare-title" tabindex={-1}>
        Does your agent show this code?
      </h2>
      <p>
        <span id="code-again" class="code-to-compare" />
      </p>
      <p>
        Continue only if both codes are the same, and if you asked the agent for the claim. If
        another person sent you this link, refuse.
      </p>
      <div class="choices">
        <button id="confirm" type="button">
          The codes match: continue
        </button>
        <Deny />
      </div>
    </section>
  )
}

function WithoutWallet({ url }: { url: string }) {
  return (
    <details id="manual">
      <summary>Sign without a wallet in this browser</summary>
      <p>
        Use any tool that signs texts according to ADR-036, and these commands. The secret is what
        follows <code>claim_attempt_token=</code> in the address of this page. This page never asks
        for a key or a recovery phrase. Never enter them on any page.
      </p>
      <Commands url={url} />
    </details>
  )
}

function Choose({ url }: { url: string }) {
  return (
    <section id="choose" aria-labelledby="choose-title" hidden>
      <h2 id="choose-title" tabindex={-1}>
        Choose a wallet
      </h2>
      <p id="chain-choice">
        <label for="chain">Chain of your wallet</label>
        <select id="chain" />
      </p>
      <ul id="wallets" class="choices" aria-label="Wallets in this browser" />
      <div id="no-wallet">
        <p>
          No wallet was found in this browser. This page supports Keplr, Leap and Cosmostation. If
          you have one, enable its extension and search again. Or open the complete link of this
          page, with everything after the <code>#</code>, in the browser that has your wallet.
        </p>
        <p>
          <button id="search-again" type="button">
            Search again
          </button>
        </p>
      </div>
      <div class="choices">
        <Deny />
      </div>
      <WithoutWallet url={url} />
    </section>
  )
}

function Sign() {
  return (
    <section id="sign" aria-labelledby="sign-title" hidden>
      <h2 id="sign-title" tabindex={-1}>
        Review and sign
      </h2>
      <dl class="facts">
        <dt>Account</dt>
        <dd>
          <bdi id="account" />
        </dd>
        <dt>Address</dt>
        <dd>
          <code id="account-address" />
        </dd>
      </dl>
      <p>
        Your wallet must show exactly this text. If it shows another text or a transaction, refuse
        there.
      </p>
      <pre id="text" tabindex={0} aria-label="The text to sign" />
      <div class="choices">
        <button id="sign-now" type="button" />
        <Deny />
      </div>
      <p>
        <button id="another" type="button">
          Use another wallet or tool
        </button>
      </p>
    </section>
  )
}

function ScriptTags() {
  return (
    <>
      {SCRIPTS.map((name) => (
        <link rel="modulepreload" href={`delegation/${name}`} />
      ))}
      <script type="module" src="delegation/page.js" />
    </>
  )
}

/** `url`: the public address of the page. `notice` stands above everything else. */
export function delegationPage(url: string, notice?: string): string {
  return renderPage(
    <AuthPage title="Claim an agent" head={<ScriptTags />} notice={notice}>
      <h1>Claim an agent</h1>
      <p class="lead">
        An agent asks you to confirm that it is yours. To confirm, sign a text with your wallet.
        Otherwise refuse.
      </p>
      <WithoutScript url={url} />
      <Problem />
      <Attempt />
      <Compare />
      <Choose url={url} />
      <Sign />
      <section id="end" aria-labelledby="end-what" hidden>
        <h2 id="end-what" tabindex={-1} />
        <p id="end-next" />
        <dl id="end-facts" class="facts" />
      </section>
      <div class="status">
        <p id="progress" role="status" />
        <p id="waiting" hidden>
          <button id="stop" type="button">
            Stop waiting
          </button>
        </p>
      </div>
    </AuthPage>,
  )
}
