// Tests that a reader which breaks off its answer does not end the writer that wakes it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createWaker } from '../../../../../infra/app/services/services.ts'

it('an answer that ends early ends no process', async () => {
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  onTestFinished(() => void process.off('unhandledRejection', onRejection))
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    response.writeHead(202, { 'content-length': '10' })
    response.write('half')
    setImmediate(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const wake = createWaker(
    new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/wake`),
  )
  await vi.waitFor(() => {
    wake()
    expect(calls).toBeGreaterThan(2)
  })
  expect(rejections).toEqual([])
})
