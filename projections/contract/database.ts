// The names of the databases of the read model.

/** Data across generations: which one is active. */
export const CONTROL_DATABASE = 'rollcall'

/** The database of one generation's tables. */
export const toDatabaseName = (generation: number, control = CONTROL_DATABASE): string =>
  `${control}_${generation}`
