// The faults of a node by name, with their height and the remaining number of times.

/** Responses that are none, or not of the request. Of several, a request gets the first. */
const BROKEN_ANSWERS = [
  /** Half of a JSON text with status 200. */
  'invalid JSON',
  /** The HTML page of a proxy with status 200. */
  'HTML answer',
  /** The right result under another ID. */
  'answer of another ID',
  'HTTP 500',
  /** Ends the connection in the middle of a body. */
  'truncated body',
  /** Ends the connection before a byte is sent. */
  'drops the socket',
  'oversized body',
  /** Never answers. */
  'hang',
] as const
type BrokenAnswer = (typeof BROKEN_ANSWERS)[number]

type FalseAnswer =
  | 'wrong chain id'
  /** Answers another height's block. */
  | 'skips a height'
  | 'results of another height'
  /** A block with an invalid time. */
  | 'impossible time'
  /** The tip does not change. */
  | 'lagging tip'
  /** Other hashes from the faulty height on. */
  | 'forked block'
  /** Blocks and state below the fault's height are pruned. */
  | 'pruned heights'

export type SocketFault =
  /** Open and subscribed, but without messages. */
  | 'silent socket'
  /** Every subscription ends with an error. */
  | 'cancels the subscription'
  /** Every connection is cut. */
  | 'cuts the websocket'
  /** Not available. */
  | 'no websocket'

export type FaultName = BrokenAnswer | FalseAnswer | SocketFault

export type FaultOptions = {
  /** Only this height; for `pruned heights` and `forked block` the first height, for `lagging tip` the tip. */
  height?: number | undefined
  /** How often the fault applies; without a limit by default. */
  times?: number | undefined
}

/** `height` is 0 and `path` empty if the call has none. */
export type NodeRequest = { method: string; height: number; path: string }

/** A fault that applies to a request. */
export type Strike = { name: FaultName; height?: number | undefined }

const BLOCKS = ['block']
const METHODS: Record<FalseAnswer, readonly string[] | undefined> = {
  'wrong chain id': ['status', 'block'],
  'skips a height': ['block', 'block_results'],
  'results of another height': ['block_results'],
  'impossible time': BLOCKS,
  'lagging tip': undefined,
  'forked block': BLOCKS,
  'pruned heights': undefined,
}

const isBroken = (name: FaultName): name is BrokenAnswer =>
  BROKEN_ANSWERS.some((each) => each === name)
const isFalse = (name: FaultName): name is FalseAnswer => name in METHODS

const applies = ({ name, height }: Strike, request: NodeRequest): boolean => {
  if (isFalse(name) && !(METHODS[name]?.includes(request.method) ?? true)) return false
  switch (name) {
    case 'lagging tip':
    case 'wrong chain id':
    case 'pruned heights':
      return true
    case 'forked block':
      return request.height >= (height ?? 1)
    default:
      return height === undefined || height === request.height
  }
}

export const createFaults = () => {
  const faults = new Map<FaultName, { height: number | undefined; left: number }>()
  /** Decreases the count of a fault that applies. */
  const use = (name: FaultName): void => {
    const fault = faults.get(name)
    if (fault && --fault.left <= 0) faults.delete(name)
  }
  return {
    set: (name: FaultName, { height, times = Number.POSITIVE_INFINITY }: FaultOptions) =>
      void faults.set(name, { height, left: times }),
    heal: (name?: FaultName) => (name ? void faults.delete(name) : faults.clear()),
    has: (name: FaultName) => faults.has(name),
    /** True if a fault of the websocket applies now. */
    strikesSocket: (name: SocketFault): boolean => {
      const isSet = faults.has(name)
      use(name)
      return isSet
    },
    strike: (request: NodeRequest): Strike[] => {
      const found = [...faults]
        .map(([name, { height }]): Strike => ({ name, height }))
        .filter((each) => (isFalse(each.name) || isBroken(each.name)) && applies(each, request))
      const broken = BROKEN_ANSWERS.find((name) => found.some((each) => each.name === name))
      const strikes = found.filter(({ name }) => !isBroken(name) || name === broken)
      for (const { name } of strikes) use(name)
      return strikes
    },
  }
}

export type Faults = ReturnType<typeof createFaults>

/** One fault of one request. */
export const strikeOnce = (name: FaultName, request: NodeRequest): Strike[] => {
  const height = name === 'pruned heights' ? request.height + 1 : undefined
  return applies({ name }, request) ? [{ name, height }] : []
}
