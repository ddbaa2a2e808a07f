// Faults of the fake node by name: which are set, for which height, and how often they still strike.

export type FaultName =
  /** Half of a JSON text with status 200. */
  | 'garbage JSON'
  /** A proxy's page with status 200. */
  | 'HTML answer'
  | 'HTTP 500'
  /** Never answers. */
  | 'hang'
  | 'wrong chain id'
  /** Answers another height's block. */
  | 'skips a height'
  | 'results of another height'
  /** A block whose time is no time. */
  | 'impossible time'
  /** Ends the connection in the middle of a body. */
  | 'truncated body'
  /** Ends the connection before a byte is sent. */
  | 'drops the socket'
  /** The tip stays where it was. */
  | 'lagging tip'
  /** Other hashes from the faulty height on. */
  | 'forked block'
  /** Everything below the fault's height is gone, blocks and state. */
  | 'pruned heights'
  | 'oversized body'
  /** Websocket: open and subscribed, but nothing comes any more. */
  | 'silent socket'
  /** Websocket: every subscription ends with an error. */
  | 'cancels the subscription'
  /** Websocket: every connection is cut. */
  | 'cuts the websocket'
  /** Websocket: there is none. */
  | 'no websocket'

export type FaultOptions = {
  /** Only this height, or for `pruned heights` and `forked block` where it begins. */
  height?: number
  /** How often; for ever where absent. */
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
    /** True where it strikes this request; counts it. */
    strikes: (name: FaultName, height?: number): boolean => {
      const fault = faults.get(name)
      if (!fault || (fault.height !== undefined && fault.height !== height)) return false
      if (--fault.left <= 0) faults.delete(name)
      return true
    },
  }
}

export type Faults = ReturnType<typeof createFaults>
