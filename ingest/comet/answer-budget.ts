// Memory for the answers of all endpoints while they are being received. An answer waits rather than exceed it.

export type AnswerBudget = { open(): Reservation }

/** Of one answer. */
export type Reservation = {
  /** Undefined where there is room at once; else it resolves as soon as there is. */
  add(bytes: number): Promise<void> | undefined
  /** Once the answer is parsed or given up. */
  close(): void
}

type Waiting = { owner: object; bytes: number; resume: () => void }

/**
 * Answers share `totalBytes - largestBytes`. When that is used up, one answer at a time may grow to
 * `largestBytes` beyond it: it is the one that always gets done, so that no two wait for each other.
 */
export const createAnswerBudget = (totalBytes: number, largestBytes: number): AnswerBudget => {
  const sharedBytes = Math.max(totalBytes - largestBytes, 0)
  const waiting: Waiting[] = []
  let used = 0
  let privileged: object | undefined

  const take = (owner: object, bytes: number): boolean => {
    if (owner === privileged) return true
    if (used + bytes <= sharedBytes) {
      used += bytes
      return true
    }
    privileged ??= owner
    return owner === privileged
  }
  const wake = () => {
    for (let next = waiting[0]; next && take(next.owner, next.bytes); next = waiting[0]) {
      waiting.shift()
      next.resume()
    }
  }
  return {
    open: () => {
      const owner = {}
      let shared = 0
      const keepCount = (bytes: number) => {
        if (owner !== privileged) shared += bytes
      }
      return {
        add: (bytes) => {
          if (take(owner, bytes)) return void keepCount(bytes)
          return new Promise((resolve) => {
            const resume = () => {
              keepCount(bytes)
              resolve()
            }
            waiting.push({ owner, bytes, resume })
          })
        },
        close: () => {
          used -= shared
          shared = 0
          if (privileged === owner) privileged = undefined
          const own = waiting.findIndex((each) => each.owner === owner)
          if (own !== -1) waiting.splice(own, 1)[0]?.resume()
          wake()
        },
      }
    },
  }
}
