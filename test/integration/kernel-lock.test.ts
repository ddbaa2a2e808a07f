// Tests locks of the kernel on a real directory.
import { expect, it, onTestFinished } from 'vitest'
import { openKernelLock } from '../../infra/base/log/kernel-lock.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

it('a lock of the kernel is acquired by one at a time, until its release or its close', async () => {
  const directory = createTemporaryDirectory('kernel-lock')
  onTestFinished(directory.remove)
  const [one, other] = await Promise.all([
    openKernelLock(directory.path),
    openKernelLock(directory.path),
  ])
  expect([one?.tryToAcquire(), other?.tryToAcquire()]).toEqual([true, false])
  one?.release()
  expect([other?.tryToAcquire(), one?.tryToAcquire()]).toEqual([true, false])
  other?.close()
  expect(one?.tryToAcquire()).toBe(true)
  one?.close()
})
