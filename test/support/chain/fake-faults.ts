// Faults of the fake node by name, with their height and the remaining number of times.

export type FaultName =
  /** Half of a JSON text with status 200. */
  | 'invalid JSON'
  /** The HTML page of a proxy with status 200. */
  | 'HTML answer'
  /** The right result under another ID. */
  | 'answer of another ID'
  | 'HTTP 500'
  /** Never answers. */
  | 'hang'
  | 'wrong chain id'
  /** Answers another height's block. */
  | 'skips a height'
  | 'results of another height'
  /** A block with an invalid time. */
  | 'impossible time'
  /** Ends the connection in the middle of a body. */
  | 'truncated body'
  /** Ends the connection before a byte is sent. */
  | 'drops the socket'
  /** The tip does not change. */
  | 'lagging tip'
  /** Other hashes from the faulty height on. */
  | 'forked block'
  /** Blocks and state below the fault's height are pruned. */
  | 'pruned heights'
  | 'oversized body'
  /** Websocket: open and subscribed, but without messages. */
  | 'silent socket'
  /** Websocket: every subscription ends with an error. */
  | 'cancels the subscription'
  /** Websocket: every connection is cut. */
  | 'cuts the websocket'
  /** Websocket: not available. */
  | 'no websocket'

export type FaultOptions = {
  /** Only this height; for `pruned heights` and `forked block` the first height. */
  height?: number
  /** How often the fault applies; without a limit by default. */
  times?: number
}

type Fault = { height: number | undefined; left: number }
export const createFaults = () => {
  const faults = new Map<FaultName, Fault>()
  return {
    set: (name: FaultName, { height, times = Number.POSITIVE_INFINITY }: FaultOptions) =>
      void faults.set(name, { height, left: times }),
    heal: (name?: FaultName) => (name ? void faults.delete(name) : faults.clear()),
    has: (name: FaultName) => faults.has(name),
    getHeight: (name: FaultName) => faults.get(name)?.height,
    /** True if the fault applies to this request; decreases its count. */
    strikes: (name: FaultName, height?: number): boolean => {
      const fault = faults.get(name)
      if (!fault || (fault.height !== undefined && fault.height !== height)) return false
      if (--fault.left <= 0) faults.delete(name)
      return true
    },
  }
}

export type Faults = ReturnType<typeof createFaults>
