// Tests that a reader which breaks off its answer does not end the writer that wakes it.
import { expect, it, onTestFinished, vi } from 'vitest'
import { createWaker } from '../../../../../infra/app/services/services.ts'
import { serve } from '../../../../support/http/serve.ts'

it('an answer that ends early ends no process', async () => {
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  onTestFinished(() => void process.off('unhandledRejection', onRejection))
  let calls = 0
  const url = await serve((_, response) => {
    calls += 1
    response.writeHead(202, { 'content-length': '10' })
    response.write('half')
    setImmediate(() => response.destroy())
  })
  const wake = createWaker(new URL('/wake', url))
  await vi.waitFor(() => {
    wake()
    expect(calls).toBeGreaterThan(2)
  })
  expect(rejections).toEqual([])
})
