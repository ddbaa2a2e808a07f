// Asks another process of this machine over HTTP.

const TIMEOUT_MS = 2_000

/** Undefined if the process does not run, errs, or ends in the middle of its answer. */
export const ask = async <Answer>(
  url: URL,
  read: (response: Response) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer | undefined> => {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  try {
    return await read(
      await fetch(url, { signal: signal ? AbortSignal.any([signal, deadline]) : deadline }),
    )
  } catch {
    return undefined
  }
}
