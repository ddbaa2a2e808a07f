// The names of the databases of the read model, and of the runners that write their tables.

/** Data across generations: which one is active. */
export const CONTROL_DATABASE = 'rollcall'

/** The database of one generation's tables. */
export const toDatabaseName = (generation: number, control = CONTROL_DATABASE): string =>
  `${control}_${generation}`

/** Name of the governance runner: its key in `checkpoints`. */
export const RUNNER = 'governance'
/** The same for the runner of the log of agents. */
export const AGENT_RUNNER = 'agents'
