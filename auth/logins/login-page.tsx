// The page with the one button of a login, and the page of a login that cannot go on. Both work without scripts.
import { renderPage } from '../../infra/base/html/render.tsx'
import { AuthPage } from '../html/delegation-page.tsx'
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

function Place({ redirectUri }: { redirectUri: string }) {
  const name = <code>{nameRedirect(redirectUri)}</code>
  if (isLoopback(redirectUri)) {
    return (
      <>
        {name}, a program on this computer. Continue only if you have just started it: any program
        here could be listening.
      </>
    )
  }
  return redirectUri.startsWith('https:') ? name : <>an app on this device that opens {name}</>
}

export function loginPage(page: LoginPage): string {
  const { name, host, redirectUri, resource, request, notice } = page
  const shown = name?.slice(0, MAX_NAME_LENGTH)
  return renderPage(
    <AuthPage title="Let a program read" root={ROOT} notice={notice}>
      <h1>Let a program read</h1>
      <p class="lead">
        A program asks to read the public governance data of this service. You need no account:
        nobody is asked who you are.
      </p>
      <dl class="facts">
        <dt>Program</dt>
        <dd>{host === undefined ? 'registered by itself, not verified' : <code>{host}</code>}</dd>
        <dt>It calls itself</dt>
        <dd>{shown ? <bdi>{shown}</bdi> : 'nothing'}</dd>
        <dt>Access goes to</dt>
        <dd>
          <Place redirectUri={redirectUri} />
        </dd>
        <dt>Access to</dt>
        <dd>
          <code>{resource}</code>
        </dd>
      </dl>
      <ul>
        <li>It may read what everybody may read, with a higher limit of requests.</li>
        <li>It cannot vote, move funds or see anything of you.</li>
      </ul>
      <p>
        If you did not start this in that program, close this page.{' '}
        <a href="../privacy">Privacy and support</a>
      </p>
      <form class="choices" method="post" action="authorize">
        <input type="hidden" name="request" value={request} />
        <button class="armed">Continue without an account</button>
      </form>
    </AuthPage>,
  )
}

/** `back` leads to the client, if it is known. Nobody is sent there without a click: any client can register. */
export function loginProblemPage(reason: string, back: string | undefined): string {
  return renderPage(
    <AuthPage title="This login cannot continue" root={ROOT} notice={undefined}>
      <h1>This login cannot continue</h1>
      <p class="lead">{reason}</p>
      <p>
        Start again in the program. If that does not help, remove this service there and add it
        again. Everything here can also be read without a login.
      </p>
      {back !== undefined && (
        <p>
          <a href={back} rel="noreferrer">
            Report this to <code>{nameRedirect(back)}</code>
          </a>
        </p>
      )}
    </AuthPage>,
  )
}
