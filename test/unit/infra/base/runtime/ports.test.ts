// Ports that cannot be used, before and after a start.
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasCode } from '../../../../../infra/base/runtime/errors.ts'
import { explainListenError, requireUsablePorts } from '../../../../../infra/base/runtime/ports.ts'

const host = '127.0.0.1'

const takePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

describe('the ports of a start', () => {
  it('are refused all at once, each with its setting', async () => {
    const [api, operators] = [await takePort(), await takePort()]
    const started = requireUsablePorts([
      { setting: 'PORT', host, port: api },
      { setting: 'OPERATORS_PORT', host, port: operators },
      { setting: 'CLICKHOUSE_HTTP_PORT', host, port: 0 },
    ])
    await expect(started).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(
        new RegExp(`PORT: .*:${api} is in use\\n.*OPERATORS_PORT: .*:${operators} is in use$`),
      ),
    })
  })

  it('are refused if two settings name the same one, or if the address is not of this machine', async () => {
    const started = requireUsablePorts([
      { setting: 'PORT', host, port: 31_999 },
      { setting: 'OPERATORS_PORT', host: '0.0.0.0', port: 31_999 },
      { setting: 'CLICKHOUSE_TCP_PORT', host: '203.0.113.1', port: 0 },
    ])
    await expect(started).rejects.toThrow(
      /OPERATORS_PORT: .*:31999 is also PORT\n.*CLICKHOUSE_TCP_PORT: .* cannot be listened on/,
    )
  })

  it('are accepted if they are free, and stay free', async () => {
    const port = await takePort()
    const free = [{ setting: 'PORT', host: '127.0.0.2', port }]
    await requireUsablePorts(free)
    await requireUsablePorts(free)
  })
})

it('treats a taken port as a wrong setting and names it', async () => {
  const port = await takePort()
  const error = await new Promise((resolve) => {
    createServer().once('error', resolve).listen(port, host)
  })
  const explained = explainListenError(error)
  expect(hasCode(explained, 'CONFIG_INVALID')).toBe(true)
  expect(String(explained)).toMatch(/127\.0\.0\.1:\d+ is in use.*PORT/)
  const other = new Error('other')
  expect(explainListenError(other)).toBe(other)
})
