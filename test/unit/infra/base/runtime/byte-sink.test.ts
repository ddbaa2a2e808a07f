// Tests of the byte sink: it respects backpressure, and a closed reader is not an error.
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createByteSink } from '../../../../../infra/base/runtime/byte-sink.ts'
import { hasCode } from '../../../../../infra/base/runtime/errors.ts'

/** Accepts writes on demand. */
const setup = (write?: (done: (error?: Error) => void) => void) => {
  const taken: (() => void)[] = []
  const stream = new Writable({
    highWaterMark: 4,
    write: (_chunk, _encoding, done) => {
      if (write) write(done)
      else taken.push(() => done())
    },
  })
  const ending = new AbortController()
  return { stream, taken, ending, sink: createByteSink(stream, ending.signal) }
}

const failing = (code: string) => (done: (error?: Error) => void) =>
  setImmediate(() => done(Object.assign(new Error(code), { code })))

describe('a byte sink', () => {
  it('waits until the stream accepts more', async () => {
    const { sink, taken } = setup()
    let isThrough = false
    const writing = sink.write('more than the stream accepts').then((more) => {
      isThrough = true
      return more
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isThrough).toBe(false)
    taken.shift()?.()
    expect(await writing).toBe(true)
  })

  it('reports a closed reader, and writes nothing more', async () => {
    const { sink } = setup(failing('EPIPE'))
    expect(await sink.write('more than the stream accepts')).toBe(false)
    expect(await sink.write('more')).toBe(false)
  })

  it('fails with the error of the stream if that is not a closed reader', async () => {
    const { sink } = setup(failing('ENOSPC'))
    await expect(sink.write('more than the stream accepts')).rejects.toThrow('ENOSPC')
  })

  it('does not wait permanently for a stalled reader after an abort', async () => {
    const { sink, ending } = setup()
    const writing = sink.write('more than the stream accepts').catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    ending.abort()
    expect(hasCode(await writing, 'ABORTED')).toBe(true)
  })
})
