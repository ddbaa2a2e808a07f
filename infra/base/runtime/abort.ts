// Abort signals: operations that end early, and signals that follow other signals.
import { setMaxListeners } from 'node:events'
import { AppError } from './errors.ts'

/** `ABORTED`, with the signal's reason as the cause. */
export const abortedError = (signal?: AbortSignal): AppError =>
  new AppError('ABORTED', 'aborted', { cause: signal?.reason })

/** Calls `listener` when the signal fires, or at once if it has fired. Returns a function that removes the listener. */
export const onAbort = (signal: AbortSignal | undefined, listener: () => void): (() => void) => {
  if (signal?.aborted) listener()
  else signal?.addEventListener('abort', listener, { once: true })
  return () => signal?.removeEventListener('abort', listener)
}

/** Resolves once `signal` fires. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    onAbort(signal, () => resolve())
  })

/** The outcome of `promise`, or `ABORTED` as soon as the signal fires. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const unlink = onAbort(signal, () => reject(abortedError(signal)))
    promise.then(resolve, reject).finally(unlink)
  })

export type LinkedAbort = Pick<AbortController, 'signal' | 'abort'> & {
  /** Stops following the parent, which may live longer. */
  unlink(): void
}

/** A separate signal that also fires with `parent`. Any number of listeners may wait for it. */
export const linkedAbort = (parent?: AbortSignal): LinkedAbort => {
  const controller = new AbortController()
  const { signal } = controller
  setMaxListeners(0, signal)
  const abort = (reason?: unknown) => controller.abort(reason)
  return { signal, abort, unlink: onAbort(parent, () => abort(parent?.reason)) }
}

/** The same promise. Until it is awaited, its rejection does not count as unhandled. */
export const handledLater = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => undefined)
  return promise
}

/** Resolves once `promise` has settled, with any outcome: another caller reads the outcome. */
export const waitUntilSettled = async (promise: Promise<unknown> | undefined): Promise<void> => {
  await Promise.allSettled([promise])
}
