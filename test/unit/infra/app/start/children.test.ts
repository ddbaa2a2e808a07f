// Tests a child process of a machine: its settings, when it has started, the reason of its end, and its stop.
import { expect, it, onTestFinished } from 'vitest'
import { hasServiceStarted, startChild } from '../../../../../infra/app/start/children.ts'
import { findFreePort } from '../../../../../infra/base/runtime/ports.ts'

const HOST = '127.0.0.1'

/** Is starting for its first two answers. Prints the settings that it gets. */
const SERVICE = `
  let left = 2
  require('node:readline').createInterface({ input: process.stdin }).once('line', (line) => {
    console.log(line)
    require('node:http')
      .createServer((_, response) => {
        response.end(left-- > 0 ? '{"ready":false,"starting":true}' : '{"ready":false}')
      })
      .listen(Number(process.env.OPERATORS_PORT), '${HOST}')
  })`

const setup = async (script: string) => {
  const port = await findFreePort(HOST)
  const lines: string[] = []
  const child = startChild({
    command: ['-e', script],
    env: { OPERATORS_PORT: String(port) },
    settings: Promise.resolve({ CLICKHOUSE_PASSWORD: 'secret' }),
    hasStarted: () => hasServiceStarted(`http://${HOST}:${port}`),
    onLine: (line) => void lines.push(line),
  })
  child.started.catch(() => {})
  onTestFinished(() => child.stop(0))
  return { child, lines }
}

it('gets its last settings on standard input, has started when it says so, and ends on request', async () => {
  const { child, lines } = await setup(SERVICE)
  await child.started
  expect(lines).toEqual(['{"CLICKHOUSE_PASSWORD":"secret"}'])
  await child.stop(5_000)
  expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM', failure: undefined })
})

it('is killed if it does not end in time', async () => {
  const { child } = await setup(`process.on('SIGTERM', () => {});${SERVICE}`)
  await child.started
  await child.stop(50)
  expect(await child.exited).toMatchObject({ signal: 'SIGKILL' })
})

it('has never started if it ends first, and the reason of its end is no line of its log', async () => {
  const { child, lines } = await setup(`
    console.log('{"level":"fatal"}')
    console.error('{"failure":{"code":"LOG_FULL","message":"the disk is full"}}')
    process.exitCode = 73`)
  expect(await child.exited).toEqual({
    code: 73,
    signal: null,
    failure: { code: 'LOG_FULL', message: 'the disk is full' },
  })
  await expect(child.started).rejects.toThrow()
  expect(lines).toEqual(['{"level":"fatal"}'])
})
