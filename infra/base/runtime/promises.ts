// Promises with an outcome that is read later or elsewhere.

/** The same promise. Until it is awaited, its rejection does not count as unhandled. */
export const handledLater = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => undefined)
  return promise
}

/** Resolves once `promise` has settled, with any outcome: another caller reads the outcome. */
export const waitUntilSettled = async (promise: Promise<unknown> | undefined): Promise<void> => {
  await Promise.allSettled([promise])
}
