// The page with the one button of a login, and the page of a login that cannot go on. Both work without scripts.
import { html } from '../../infra/base/html/html.ts'
import { authPage } from '../html/delegation-page.ts'
import { isLoopback, nameRedirect } from './clients.ts'

export type LoginPage = {
  name: string | undefined
  host: string | undefined
  redirectUri: string
  /** What the token will be for. */
  resource: string
  /** The sealed request that the button sends. */
  request: string
  notice: string | undefined
}

const ROOT = '..'
const MAX_NAME_LENGTH = 80

const describePlace = (redirectUri: string) => {
  const name = html`<code>${nameRedirect(redirectUri)}</code>`
  if (isLoopback(redirectUri)) {
    return html`${name}, a program on this computer. Continue only if you have just started it: \
any program here could be listening.`
  }
  return redirectUri.startsWith('https:') ? name : html`an app on this device that opens ${name}`
}

export function loginPage({
  name,
  host,
  redirectUri,
  resource,
  request,
  notice,
}: LoginPage): string {
  const shown = name?.slice(0, MAX_NAME_LENGTH)
  return authPage(
    'Let a program read',
    html`<h1>Let a program read</h1>
<p class="lead">A program asks to read the public governance data of this service. \
You need no account: nobody is asked who you are.</p>
<dl class="facts">
<dt>Program</dt><dd>${host === undefined ? 'registered by itself, not verified' : html`<code>${host}</code>`}</dd>
<dt>It calls itself</dt><dd>${shown ? html`<bdi>${shown}</bdi>` : 'nothing'}</dd>
<dt>Access goes to</dt><dd>${describePlace(redirectUri)}</dd>
<dt>Access to</dt><dd><code>${resource}</code></dd>
</dl>
<ul>
<li>It may read what everybody may read, with a higher limit of requests.</li>
<li>It cannot vote, move funds or see anything of you.</li>
</ul>
<p>If you did not start this in that program, close this page. <a href="../privacy">Privacy and support</a></p>
<form class="choices" method="post" action="authorize">
<input type="hidden" name="request" value="${request}">
<button class="armed">Continue without an account</button>
</form>`,
    { root: ROOT, notice },
  )
}

/** `back` leads to the client, if it is known. Nobody is sent there without a click: any client can register. */
export function loginProblemPage(reason: string, back: string | undefined): string {
  return authPage(
    'This login cannot continue',
    html`<h1>This login cannot continue</h1>
<p class="lead">${reason}</p>
<p>Start again in the program. If that does not help, remove this service there and add it again. \
Everything here can also be read without a login.</p>
${back === undefined ? null : html`<p><a href="${back}" rel="noreferrer">Report this to <code>${nameRedirect(back)}</code></a></p>`}`,
    { root: ROOT },
  )
}
