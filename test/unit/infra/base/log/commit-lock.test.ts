// Tests the lock of steps that LMDB does not isolate.
import { describe, expect, it } from 'vitest'
import { openCommitLock } from '../../../../../infra/base/log/commit-lock.ts'
import type { KernelLock } from '../../../../../infra/base/log/kernel-lock.ts'

/** Refused as often as given; then acquired until its release. */
const setup = async (refusals: number, deadlineMs?: number) => {
  const calls: string[] = []
  let left = refusals
  const kernelLock: KernelLock = {
    tryToAcquire: () => {
      calls.push('try')
      return left-- <= 0
    },
    release: () => void calls.push('release'),
    close: () => void calls.push('close'),
  }
  const lock = await openCommitLock('/logs', async () => kernelLock, deadlineMs)
  return { lock, calls }
}

describe('the lock of commits', () => {
  it('waits for another process, runs the step and is released', async () => {
    const { lock, calls } = await setup(2)
    expect(lock.runAlone(() => calls.push('step'))).toBe(4)
    lock.close()
    expect(calls).toEqual(['try', 'try', 'try', 'step', 'release', 'close'])
  })

  it('is released after a step that fails', async () => {
    const { lock, calls } = await setup(0)
    const fail = () => {
      throw new RangeError('full')
    }
    expect(() => lock.runAlone(fail)).toThrow('full')
    expect(calls).toEqual(['try', 'release'])
  })

  it('reports a process that never releases it, and does not run the step', async () => {
    const { lock, calls } = await setup(Number.POSITIVE_INFINITY, 5)
    const refused = expect.objectContaining({ code: 'LOG_UNAVAILABLE', retryable: true })
    expect(() => lock.runAlone(() => calls.push('step'))).toThrow(refused)
    expect(new Set(calls)).toEqual(new Set(['try']))
  })

  it('lets every step run on a system without locks of the kernel', async () => {
    const lock = await openCommitLock('/logs', async () => undefined)
    expect(lock.runAlone(() => 5)).toBe(5)
    lock.close()
  })
})
