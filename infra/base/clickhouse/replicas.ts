// Failover between the replicas of a store: a call goes to the last working replica, and then to the next one.
export type Replicas<Client> = {
  readonly all: readonly Client[]
  /** Tries each replica once; rejects with the last error, or with the first error that all replicas would have. */
  run<Result>(
    operation: (client: Client) => Promise<Result>,
    canHelp: (error: unknown) => boolean,
  ): Promise<Result>
  /** Later calls start with the next replica, because the current one does not respond in time. */
  moveOn(): void
}

export const createReplicas = <Client>(all: readonly Client[]): Replicas<Client> => {
  let current = 0
  const next = (index: number): number => (index + 1) % all.length
  return {
    all,
    run: async (operation, canHelp) => {
      let index = current
      for (let tried = 1; ; tried++) {
        const client = all[index]
        if (client === undefined) throw new RangeError('a store has at least one replica')
        try {
          const result = await operation(client)
          current = index
          return result
        } catch (error) {
          if (tried >= all.length || !canHelp(error)) throw error
          index = next(index)
        }
      }
    },
    moveOn: () => {
      current = next(current)
    },
  }
}
