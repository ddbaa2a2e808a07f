// Implements `ON CLUSTER`, which the embedded engine refuses ("Replicated DDL queries are disabled").
// All statements use one queue. Each replica applies them in order, and catches up after an outage.
import { setTimeout as pause } from 'node:timers/promises'

const ON_CLUSTER = /\s+ON\s+CLUSTER\s+'\w+'/i
/** Like the server: on a replicated table one replica applies these statements for all. */
const BY_ONE_REPLICA = /^\s*(?:--.*\s+)*(?:ALTER|TRUNCATE)\s+TABLE\b/i
/** Timeout for an unreachable replica; the product uses 5 s, which a suite would wait for each statement. */
const WAIT_FOR_ABSENT_MS = 300
/** Timeout for a running replica on a busy machine. */
const WAIT_FOR_RUNNING_MS = 30_000
const POLL_MS = 10

export type DdlResult = { status: number; text: string }
export type DdlReplica = {
  /** Undefined if the replica is unreachable. */
  apply(sql: string): Promise<DdlResult | undefined>
  isRunning(): boolean
}

type Entry = {
  sql: string
  byOne: boolean
  /** The replica that applies it for all. */
  claimedBy?: string | undefined
  results: Map<string, DdlResult>
}

export type DistributedDdl = {
  isDistributed(sql: string): boolean
  /** The first failure of any replica; waits for an unreachable replica, then continues without it. */
  submit(sql: string): Promise<DdlResult>
  /** Statements that each replica applied. */
  applied(): Readonly<Record<string, number>>
  stop(): void
}

export const createDistributedDdl = (
  replicas: Readonly<Record<string, DdlReplica>>,
): DistributedDdl => {
  const entries: Entry[] = []
  const names = Object.keys(replicas)
  const done = new Map(names.map((name) => [name, 0]))
  let isStopped = false

  /** Undefined if the replica is unreachable or another replica has not finished. */
  const applyOnce = async (name: string, entry: Entry): Promise<DdlResult | undefined> => {
    const replica = replicas[name]
    if (!entry.byOne) return replica?.apply(entry.sql)
    entry.claimedBy ??= name
    if (entry.claimedBy !== name) return entry.results.get(entry.claimedBy)
    const result = await replica?.apply(entry.sql)
    if (!result) entry.claimedBy = undefined
    return result
  }
  const run = async (name: string): Promise<void> => {
    while (!isStopped) {
      const at = done.get(name) ?? 0
      const entry = entries[at]
      const result = entry && (await applyOnce(name, entry))
      if (entry && result) {
        entry.results.set(name, result)
        done.set(name, at + 1)
      } else await pause(POLL_MS)
    }
  }
  for (const name of names) void run(name)

  return {
    isDistributed: (sql) => ON_CLUSTER.test(sql),
    submit: async (sql) => {
      const entry: Entry = {
        sql: sql.replace(ON_CLUSTER, ''),
        byOne: BY_ONE_REPLICA.test(sql),
        results: new Map(),
      }
      entries.push(entry)
      const startedMs = performance.now()
      const isAwaited = (name: string): boolean => {
        const waitMs = replicas[name]?.isRunning() ? WAIT_FOR_RUNNING_MS : WAIT_FOR_ABSENT_MS
        return !entry.results.has(name) && performance.now() - startedMs < waitMs
      }
      while (names.some(isAwaited)) await pause(POLL_MS)
      return (
        [...entry.results.values()].find(({ status }) => status !== 200) ?? {
          status: 200,
          text: '',
        }
      )
    },
    applied: () => Object.fromEntries(done),
    stop: () => {
      isStopped = true
    },
  }
}
