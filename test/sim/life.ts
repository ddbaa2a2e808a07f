// One life of a simulated process: after its death its calls never return and have no effect.

export type Life = {
  /** Resolves when it dies. */
  died: Promise<'died'>
  /** Never resolves. */
  die(): Promise<never>
  /** Runs an operation only in a live process; after a death the result is never delivered. */
  whileAlive<Answer>(operation: () => Promise<Answer>): Promise<Answer>
}

const NEVER = new Promise<never>(() => {})

export const createLife = (): Life => {
  let isDead = false
  let resolveDied = (_: 'died'): void => {}
  const died = new Promise<'died'>((resolve) => {
    resolveDied = resolve
  })
  const orSilence = <Answer>(settled: () => Answer): Answer | Promise<never> =>
    isDead ? NEVER : settled()
  return {
    died,
    die: () => {
      isDead = true
      resolveDied('died')
      return NEVER
    },
    whileAlive: <Answer>(operation: () => Promise<Answer>): Promise<Answer> => {
      if (isDead) return NEVER
      return operation().then(
        (answer) => orSilence(() => answer),
        (error: unknown) =>
          orSilence(() => {
            throw error
          }),
      )
    },
  }
}
