// Limits the memory for responses of all endpoints while they are being received. A response waits for free memory.

export type AnswerBudget = { open(): Reservation }

/** Limit of one response. */
export type Reservation = {
  /** Undefined if there is free memory at once; else resolves as soon as there is. */
  add(bytes: number): Promise<void> | undefined
  /** Call once the response is parsed or dropped. */
  close(): void
}

type Waiting = { owner: object; bytes: number; resume: () => void }

/**
 * Responses share `totalBytes - largestBytes`. When that is used up, one response at a time may grow to
 * `largestBytes` beyond it. That response always finishes, so no two responses wait for each other.
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
