// A person with a browser at the authorization endpoint: opens the page of a program, presses its button, is sent back.
import { createHash, randomBytes } from 'node:crypto'

type Sent = { headers?: Record<string, string>; payload?: string }
type Answer = { status: number; headers: Record<string, string | undefined>; text: string }

type SendPage = (method: string, url: string, sent?: Sent) => Promise<Answer>

/** Of a started product, without following redirects. */
export const fetchPages: SendPage = async (method, url, { headers = {}, payload } = {}) => {
  const init = { method, headers, redirect: 'manual' as const }
  const response = await fetch(url, payload === undefined ? init : { ...init, body: payload })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
}

export type OpenedPage = Answer & {
  /** The hidden value that the button sends; empty for a page without a button. */
  request: string
  cookie: string
}

export const openPage = async (send: SendPage, url: string, cookie = ''): Promise<OpenedPage> => {
  const page = await send('GET', url, { headers: cookie === '' ? {} : { cookie } })
  const [set = ''] = `${page.headers['set-cookie'] ?? ''}`.split(';')
  return {
    ...page,
    request: /name="request" value="([^"]*)"/.exec(page.text)?.[1] ?? '',
    cookie: set,
  }
}

type Press = { origin?: string; cookie?: string; request?: string }

/** `url`: of the page. By default it is pressed as a browser does. */
export const pressButton = (send: SendPage, url: string, page: OpenedPage, press: Press = {}) => {
  const { origin = new URL(url).origin, cookie = page.cookie, request = page.request } = press
  return send('POST', url.split('?', 1)[0] ?? '', {
    headers: { origin, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `${new URLSearchParams({ request })}`,
  })
}

/** Where the browser is sent after the button. */
export const logInAt = async (send: SendPage, url: string): Promise<URL> => {
  const page = await openPage(send, url)
  const pressed = await pressButton(send, url, page)
  if (pressed.status !== 303) throw new Error(`${page.status} ${page.text} ${pressed.text}`)
  return new URL(pressed.headers['location'] ?? '')
}

export const createPkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
