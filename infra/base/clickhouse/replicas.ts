// Failover between the replicas of a store: a call goes to the last working replica, and then to the next one. And what the error codes
// of ClickHouse mean: wait, use another replica, or leave out a row.
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

/** Errors of a server that is busy, starting or temporarily short of resources. */
export const TRANSIENT_CODES: readonly string[] = [
  '159', // TIMEOUT_EXCEEDED
  '198', // DNS_ERROR
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '236', // ABORTED
  '241', // MEMORY_LIMIT_EXCEEDED
  '242', // TABLE_IS_READ_ONLY
  '243', // NOT_ENOUGH_SPACE
  '252', // TOO_MANY_PARTS
  '279', // ALL_CONNECTION_TRIES_FAILED
  '285', // TOO_FEW_LIVE_REPLICAS
  '286', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '289', // REPLICA_IS_NOT_IN_QUORUM
  '319', // UNKNOWN_STATUS_OF_INSERT
  '394', // QUERY_WAS_CANCELLED
  '439', // CANNOT_SCHEDULE_TASK
  '999', // KEEPER_EXCEPTION
]

/** Errors that another replica may not have: this one has just started, or is behind. */
export const ONE_REPLICA_CODES: readonly string[] = [
  '60', // UNKNOWN_TABLE
  '81', // UNKNOWN_DATABASE
  '210', // NETWORK_ERROR
  '236', // ABORTED
  '242', // TABLE_IS_READ_ONLY
  '289', // REPLICA_IS_NOT_IN_QUORUM
  '999', // KEEPER_EXCEPTION
]

/** Errors of a server that cannot store a value of a row. It accepts other rows. */
export const ROW_CODES: readonly string[] = [
  '6', // CANNOT_PARSE_TEXT
  '25', // CANNOT_PARSE_ESCAPE_SEQUENCE
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '69', // ARGUMENT_OUT_OF_BOUND
  '70', // CANNOT_CONVERT_TYPE
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '130', // CANNOT_READ_ARRAY_FROM_TEXT
  '131', // TOO_LARGE_STRING_SIZE
  '321', // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  '349', // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  '407', // DECIMAL_OVERFLOW
  '467', // CANNOT_PARSE_BOOL
  '469', // VIOLATED_CONSTRAINT
]
