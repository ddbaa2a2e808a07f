// Runs jobs in parallel if the machine has enough cores and the jobs use no common resource.

export type Job<Result> = {
  /** The average number of busy cores. */
  cores: number
  /** Resources that no other job may use at the same time. */
  competesFor?: readonly string[]
  run(): Promise<Result>
}

type Load = Pick<Job<unknown>, 'cores' | 'competesFor'>

/** Avoids the rounding error of 0.1 + 0.2. */
const ROUNDING = 1e-9

const compete = (one: Load, other: Load): boolean =>
  (one.competesFor ?? []).some((thing) => other.competesFor?.includes(thing))

/** A job that needs more cores than the machine has runs alone. */
const fits = (job: Load, running: ReadonlySet<Load>, cores: number): boolean => {
  if (running.size === 0) return true
  const busy = [...running].reduce((sum, each) => sum + each.cores, 0)
  return busy + job.cores <= cores + ROUNDING && ![...running].some((each) => compete(job, each))
}

/** Starts jobs in the given order; later jobs that fit pass a waiting one. Results have the given order. */
export const runTogether = async <Result>(
  jobs: readonly Job<Result>[],
  cores: number,
): Promise<Result[]> => {
  const waiting = new Set(jobs)
  const running = new Set<Job<Result>>()
  const results = new Map<Job<Result>, Promise<Result>>()
  const runFitting = async (): Promise<void> => {
    const begun: Promise<void>[] = []
    for (const job of waiting) {
      if (!fits(job, running, cores)) continue
      waiting.delete(job)
      running.add(job)
      const result = job.run()
      results.set(job, result)
      const next = async () => {
        running.delete(job)
        await runFitting()
      }
      begun.push(result.then(next, next))
    }
    await Promise.all(begun)
  }
  await runFitting()
  return Promise.all(jobs.map((job) => results.get(job)!))
}
