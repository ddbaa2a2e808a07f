// Violations of a log with their positions, in a list of bounded length.

export type ViolationKind =
  | 'damaged'
  | 'unreadable'
  | 'identity'
  | 'other chain'
  | 'order'
  | 'beginning'
  | 'marker'
  | 'gap'
  | 'link'
  | 'count'
  | 'chunks'
  | 'proof'

export type Violation = {
  kind: ViolationKind
  offset: string
  height: number
  message: string
}

export type RecordPosition = { offset: bigint; height: number }
export type ReportViolation = (
  kind: ViolationKind,
  position: RecordPosition,
  message: string,
) => void

export type Violations = {
  add(violation: Violation): void
  /** The first ones. */
  list(): Violation[]
  count(): number
}

const KEPT = 1_000

export const createViolations = (kept = KEPT): Violations => {
  const found: Violation[] = []
  let count = 0
  return {
    add: (violation) => {
      count++
      if (found.length < kept) found.push(violation)
    },
    list: () => found,
    count: () => count,
  }
}
