// Tests that commits wake the reader, and that commits during a call share the next one.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createWaker } from '../../../../../infra/app/services/services.ts'

const startReader = async () => {
  const waiting: ServerResponse[] = []
  const methods: (string | undefined)[] = []
  const server = createServer(({ method }, response) => {
    methods.push(method)
    waiting.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/wake`
  return { url, methods, answer: () => waiting.shift()?.end() }
}

it('a commit wakes the reader with one call, and commits during it with one more', async () => {
  const { url, methods, answer } = await startReader()
  const wake = createWaker(new URL(url))
  wake()
  await expect.poll(() => methods).toEqual(['POST'])
  for (let commits = 0; commits < 3; commits++) wake()
  answer()
  await expect.poll(() => methods).toEqual(['POST', 'POST'])
  answer()
})

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
