// Retry policies: attempts, time limits and pauses for each kind of failure. The only file with these numbers.

/** Pauses between attempts: the first, doubled after each failure in a row, up to the longest. */
export type PausePolicy = { baseDelayMs: number; maxDelayMs: number }

export type RetryPolicy = PausePolicy & {
  /** All attempts, including the first. */
  limit: number
  /** No new attempt starts later than this after the first one started. */
  budgetMs: number
}

/** Limits for restarts of a child process. */
export type RestartLimits = PausePolicy & {
  /** Exits within this time count as repeated. */
  windowMs: number
  /** Attempts of a child without which nothing works, until it has run once. */
  firstRuns: number
}

const UNLIMITED = Number.POSITIVE_INFINITY

/** Fails only once `budgetMs` is spent. */
const within = (budgetMs: number, baseDelayMs: number, maxDelayMs: number): RetryPolicy => ({
  limit: UNLIMITED,
  budgetMs,
  baseDelayMs,
  maxDelayMs,
})

/** Never fails while the error is retryable. */
const unlimited = (baseDelayMs: number, maxDelayMs: number): RetryPolicy =>
  within(UNLIMITED, baseDelayMs, maxDelayMs)

const steady = (ms: number): PausePolicy => ({ baseDelayMs: ms, maxDelayMs: ms })

export const policies = {
  /** A read of the chain over all endpoints; without a limit if indexing cannot continue without it. */
  chainRead: (budgetMs = UNLIMITED) => within(budgetMs, 50, 2_000),
  /** A height that an endpoint says it pruned, before that is believed. */
  prunedHeight: within(15_000, 100, 500),
  /** A block that indexing cannot go on without, although all endpoints refuse it: an operator may add an endpoint that has it. */
  refusedHeight: { baseDelayMs: 500, maxDelayMs: 15_000 },
  /** A height, or a part of it, that an endpoint does not have yet: the nodes behind its URL are not equally far. */
  nextHeight: { baseDelayMs: 400, maxDelayMs: 1_000 },
  /** A part of a block of which the endpoint has sent another part. */
  blockPart: { ...within(2_000, 50, 200), limit: 5 },
  /** A later page of a search that is refused because of limits: it waits at the pace of its endpoint alone. */
  searchPage: { ...within(UNLIMITED, 0, 0), limit: 6 },
  /** A proof or a light block. A height waits at most twice this long. */
  readProof: within(5_000, 200, 1_000),
  /** After proofs that no endpoint returned in time: the same limit, much shorter, and for how long. */
  proofsAfterHang: { budgetMs: 500, forMs: 10 * 60_000 },
  /** A file of SQLite that another process has locked: far longer than any commit. */
  lockedFile: within(10_000, 2, 20),
  /** The lock of a data directory: a command that looks whether it is taken has it for a moment. */
  dataDirLock: within(500, 10, 50),
  /** A call to the event log by a reader. */
  logCall: within(60_000, 50, 2_000),
  /** A call to the brokers that reads a topic. */
  kafkaRead: (budgetMs: number) => within(budgetMs, 50, 1_000),
  /** Opening the producer of the one writer, which takes over its transactional ID. */
  kafkaTakeOver: within(20_000, 100, 1_000),
  /** Looking at a topic, and creating it. */
  kafkaTopic: within(30_000, 200, 2_000),
  /** An append with an unknown outcome, or one that the log refuses until an operator acts. */
  append: unlimited(1_000, 2_000),
  /** An append to the log of agents, while a client waits. */
  agentAppend: (budgetMs: number) => ({ ...within(budgetMs, 20, 500), limit: 5 }),
  /** Rows that the projections cannot continue without. */
  writeRows: (maxDelayMs: number) => unlimited(50, maxDelayMs),
  /** Reads of the projections from the store before they start. */
  readStart: (maxDelayMs: number) => within(60_000, 100, maxDelayMs),
  /** A store or a log that may be started after the service that uses it. */
  dependency: unlimited(200, 5_000),
  /** An embedded ClickHouse with a port in use, or that was killed. */
  startEngine: (budgetMs: number) => ({ ...within(budgetMs, 20, 20), limit: 3 }),
  /** Ports of the children of a killed supervisor, which end without it. */
  portsAfterKill: within(8_000, 100, 250),
  /** A page of evidence from another Rollcall. */
  servedEvidence: { ...within(60_000, 200, 10_000), limit: 4 },
  /** A process that the supervisor keeps running. */
  restartChild: { ...steady(500), maxDelayMs: 60_000, windowMs: 10 * 60_000, firstRuns: 3 },
  /** The websocket to an endpoint. */
  websocket: { baseDelayMs: 250, maxDelayMs: 60_000 },
  /** After a flood or an oversized message: a new connection would be the same. */
  websocketAfterMisuse: { forMs: 10 * 60_000 },
  /** Revocations that the log of agents did not take. */
  appendRevocations: { baseDelayMs: 500, maxDelayMs: 5_000 },
  /** Following the log of agents. */
  followAgents: steady(200),
  /** A query that is repeated at an interval anyway. */
  poll: steady,
} as const
