// Counts the requests of a client to one URL: granted, refused and cut by method, and those that `Retry-After` forbids.

export const OUTCOMES = ['granted', 'refused', 'cut'] as const
export type Outcome = (typeof OUTCOMES)[number]
export type Counts = Record<Outcome, number>

/** What was sent up to one moment. */
export type Traffic = {
  methods: ReadonlyMap<string, Readonly<Counts>>
  /** Requests in a time that the last `Retry-After` forbids. */
  forbidden: number
  /** Granted reads of a height that differ from each other. */
  differentReads: number
}

/** Requests that were on their way when the refusal was sent are allowed. */
const ON_THE_WAY_MS = 100

export const sumCounts = ({ methods }: Pick<Traffic, 'methods'>): Counts & { sent: number } => {
  const sum = { granted: 0, refused: 0, cut: 0, sent: 0 }
  for (const counts of methods.values()) {
    for (const outcome of OUTCOMES) {
      sum[outcome] += counts[outcome]
      sum.sent += counts[outcome]
    }
  }
  return sum
}

/** What was sent between two moments. */
export const computeTrafficBetween = (from: Traffic, to: Traffic): Traffic => ({
  methods: new Map(
    [...to.methods].map(([method, { granted, refused, cut }]) => {
      const before = from.methods.get(method)
      return [
        method,
        {
          granted: granted - (before?.granted ?? 0),
          refused: refused - (before?.refused ?? 0),
          cut: cut - (before?.cut ?? 0),
        },
      ]
    }),
  ),
  forbidden: to.forbidden - from.forbidden,
  differentReads: to.differentReads - from.differentReads,
})

export const createTrafficMeter = () => {
  const methods = new Map<string, Counts>()
  const reads = new Set<string>()
  const pause = { fromMs: 0, untilMs: 0 }
  let forbidden = 0
  return {
    /** Call it when a request arrives. */
    arrived: () => {
      const nowMs = Date.now()
      if (nowMs > pause.fromMs && nowMs < pause.untilMs) forbidden++
    },
    count: (method: string, outcome: Outcome) => {
      const counts = methods.get(method) ?? { granted: 0, refused: 0, cut: 0 }
      counts[outcome]++
      methods.set(method, counts)
    },
    /** A refusal with `Retry-After` was sent. */
    forbid: (seconds: number) => {
      const nowMs = Date.now()
      if (nowMs < pause.untilMs) return
      pause.fromMs = nowMs + ON_THE_WAY_MS
      pause.untilMs = nowMs + seconds * 1_000
    },
    /** `read` names a granted read of a height. */
    noteRead: (read: string) => void reads.add(read),
    current: (): Traffic => ({
      methods: new Map([...methods].map(([method, counts]) => [method, { ...counts }])),
      forbidden,
      differentReads: reads.size,
    }),
  }
}
