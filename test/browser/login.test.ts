// The page of a login in a real browser, without scripts: the way through it, and pages that try to press its button.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPkce, openPage as fetchPage, fetchPages } from '../support/auth/login-browser.ts'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { postJson } from '../support/process/rollcall-process.ts'

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  demo = await startDemo()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await demo?.clean()
})

/** A web server of a host: its pages by path, and `/callback`, which redirects to `/done`. */
const startHost = async (pages: Record<string, string> = {}) => {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/callback')) {
      const to = `http://localhost:${port}/done?${path.split('?')[1]}`
      return void response.writeHead(302, { location: to }).end()
    }
    response.setHeader('content-type', 'text/html')
    response.end(pages[path] ?? `<p>done</p>`)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const redirectUri = `http://127.0.0.1:${port}/callback`
  const { client_id: clientId } = await postJson<{ client_id: string }>(
    `${demo.url}/oauth2/register`,
    { redirect_uris: [redirectUri], client_name: 'A host' },
  )
  const request = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 'a state' },
    ...{ code_challenge: createPkce().challenge, code_challenge_method: 'S256' },
  })
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { pages, port, login: `${demo.url}/oauth2/authorize?${request}`, close }
}

describe('the page of a login', () => {
  it('leads back to the host by one click, without scripts, also if the host redirects again', async () => {
    const host = await startHost()
    host.pages['/'] = `<a href="${host.login.replaceAll('&', '&amp;')}">log in</a>`
    const start = `http://localhost:${host.port}/`
    const { page, complaints } = await openPage(browser, start, { javaScriptEnabled: false })
    await page.getByText('log in').click()
    await page.getByRole('button', { name: 'Continue without an account' }).click()
    await page.getByText('done').waitFor()
    const { pathname, searchParams } = new URL(page.url())
    expect([pathname, searchParams.get('state'), searchParams.get('iss')]).toEqual([
      '/done',
      'a state',
      demo.url,
    ])
    expect(searchParams.get('code')).toMatch(/^[\w.-]{100,}$/)
    expect(complaints).toEqual([])
    await page.context().close()
    await host.close()
  })

  it('is accessible, and names the program, the redirect and what a token can do', async () => {
    const host = await startHost()
    const { page, complaints, foreign } = await openPage(browser, host.login, {
      viewport: { width: 390, height: 900 },
    })
    await page.waitForTimeout(1_000)
    expect(await findViolations(page)).toEqual([])
    const text = await page.locator('main').textContent()
    for (const shown of ['A host', `127.0.0.1:${host.port}`, 'cannot vote'])
      expect(text).toContain(shown)
    expect([complaints, foreign]).toEqual([[], []])
    await page.context().close()
    await host.close()
  })

  it('cannot be framed, and its button cannot be pressed by a page of another site', {
    tags: 'auth:login-needs-a-person',
  }, async () => {
    const host = await startHost()
    const { request } = await fetchPage(fetchPages, host.login)
    const action = `${demo.url}/oauth2/authorize`
    host.pages['/frame'] = `<iframe src="${host.login.replaceAll('&', '&amp;')}"></iframe>`
    host.pages['/press'] =
      `<form method="post" action="${action}"><input name="request" value="${request}">
      </form><script>document.forms[0].submit()</script>`
    const framed = await openPage(browser, `http://localhost:${host.port}/frame`)
    expect(framed.complaints.join()).toMatch(/frame-ancestors|X-Frame-Options/)
    await framed.page.context().close()
    // The victim has a cookie of a page of its own.
    const { page } = await openPage(browser, host.login)
    await page.goto(`http://localhost:${host.port}/press`)
    await page.getByText('This login cannot continue').waitFor()
    expect(page.url()).toBe(action)
    await page.context().close()
    await host.close()
  })
})
