// Tests of the address of `npm run dev`: pages reload themselves, and requests wait for what restarts.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createDevProxy, type DevTargets } from '../../../dev/proxy.ts'

const PAGE = '<html><head><title>A page</title></head><body></body></html>'

const serve = async (listener: RequestListener) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

const setup = async (targets: Partial<DevTargets> = {}) => {
  const seen: (string | undefined)[] = []
  const port = await serve((request, response) => {
    seen.push(request.headers['if-none-match'])
    if (request.url !== '/') return void response.end(request.url)
    response.writeHead(200, {
      'content-type': 'text/html',
      'content-length': PAGE.length,
      etag: '"1"',
    })
    response.end(PAGE)
  })
  const target = () => Promise.resolve(port)
  const { server, reload } = createDevProxy({ api: target, machine: target, ...targets })
  const url = `http://127.0.0.1:${await serve((...both) => server.emit('request', ...both))}`
  return { url, reload, seen }
}

it('a page gets the script that reloads it, and is never taken from a cache', async () => {
  const { url, seen } = await setup()
  const page = await fetch(url, { headers: { 'if-none-match': '"1"' } })
  expect(await page.text()).toContain('<script src="/dev-reload.js"></script></head>')
  expect([page.headers.get('etag'), page.headers.get('cache-control')]).toEqual([null, 'no-store'])
  expect(seen).toEqual([undefined])
  expect(await (await fetch(`${url}/dev-reload.js`)).text()).toContain("EventSource('/dev-reload')")
})

it('a request waits for the part that restarts, and other answers are unchanged', async () => {
  let finish = (_port: number): void => {}
  const restarted = new Promise<number>((resolve) => {
    finish = resolve
  })
  const { url } = await setup({ api: () => restarted })
  const answer = fetch(`${url}/api/proposals`)
  finish(await serve((_, response) => void response.end('new')))
  expect(await (await answer).text()).toBe('new')
})

it('agents and tokens are answered by the machine', async () => {
  const machine = await serve((_, response) => void response.end('machine'))
  const { url } = await setup({ machine: async () => machine })
  const read = async (path: string, headers = {}) => (await fetch(url + path, { headers })).text()
  expect(await read('/oauth2/token')).toBe('machine')
  expect(await read('/api/health', { authorization: 'Bearer a' })).toBe('machine')
  expect(await read('/api/health')).toBe('/api/health')
})

it('a request says why nothing runs', async () => {
  const { url } = await setup({ api: () => Promise.reject(new Error('it does not compile')) })
  const answer = await fetch(url)
  expect([answer.status, await answer.text()]).toEqual([503, 'Error: it does not compile\n'])
})

it('open pages get an event to reload', async () => {
  const { url, reload } = await setup()
  const stream = await fetch(`${url}/dev-reload`)
  reload()
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream.body ?? []) {
    text += decoder.decode(chunk)
    if (text.includes('event: reload')) break
  }
  expect(text).toContain('event: reload\ndata:\n\n')
})
