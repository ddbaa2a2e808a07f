// One life of a simulated process: once it has died, nothing it calls ever answers, and nothing it does has an effect.

export type Life = {
  /** Resolves when it dies. */
  died: Promise<'died'>
  /** Never resolves. */
  die(): Promise<never>
  /** What the living get of an operation; the dead do not begin it, and do not hear how it ended. */
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
