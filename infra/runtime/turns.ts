// Calls that must not overlap, one after the other in the order they came.

export type Turns = <T>(call: () => Promise<T>) => Promise<T>

/** A call that fails holds up nobody. */
export const createTurns = (): Turns => {
  let turn: Promise<unknown> = Promise.resolve()
  return (call) => {
    const mine = turn.then(call, call)
    turn = mine.catch(() => {})
    return mine
  }
}
