// Tests of linked abort signals and of promises that end with a signal.
import { describe, expect, it } from 'vitest'
import {
  linkedAbort,
  onAbort,
  unlessAborted,
  untilAborted,
} from '../../../../../infra/base/runtime/abort.ts'

describe('a listener for an abort', () => {
  it('is called at once if the signal has already fired', () => {
    let calls = 0
    onAbort(AbortSignal.abort(), () => calls++)
    expect(calls).toBe(1)
  })

  it('is not called after its removal', () => {
    const controller = new AbortController()
    let calls = 0
    onAbort(controller.signal, () => calls++)()
    controller.abort()
    expect(calls).toBe(0)
  })
})

describe('a linked signal', () => {
  it('fires with its parent and with the same reason', () => {
    const parent = new AbortController()
    const { signal } = linkedAbort(parent.signal)
    parent.abort('the reason')
    expect([signal.aborted, signal.reason]).toEqual([true, 'the reason'])
  })

  it('fires at once if its parent has fired', () => {
    expect(linkedAbort(AbortSignal.abort()).signal.aborted).toBe(true)
  })

  it('fires without its parent', () => {
    const parent = new AbortController()
    const linked = linkedAbort(parent.signal)
    linked.abort()
    expect([linked.signal.aborted, parent.signal.aborted]).toEqual([true, false])
  })

  it('does not follow its parent after it is unlinked', () => {
    const parent = new AbortController()
    const linked = linkedAbort(parent.signal)
    linked.unlink()
    parent.abort()
    expect(linked.signal.aborted).toBe(false)
  })
})

describe('a promise and a signal', () => {
  it('rejects with ABORTED as soon as the signal fires, whatever the promise does', async () => {
    const controller = new AbortController()
    const waiting = unlessAborted(new Promise(() => {}), controller.signal)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('has the outcome of the promise if the signal does not fire', async () => {
    const { signal } = new AbortController()
    await expect(unlessAborted(Promise.resolve(1), signal)).resolves.toBe(1)
    await expect(unlessAborted(Promise.reject(new TypeError('bug')), signal)).rejects.toThrow('bug')
  })

  it('resolves once the signal has fired', async () => {
    const controller = new AbortController()
    const aborted = untilAborted(controller.signal)
    controller.abort()
    await expect(aborted).resolves.toBeUndefined()
  })
})
