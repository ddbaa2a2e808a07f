// Findings of a comparison of a log with its chain: equal, different, and not compared with the reason.
import { createViolations, type Violation, type ViolationKind } from '../violation.ts'

export type NotCompared = { subject: string; reason: string; count: number; firstHeight: number }

export type Compared = {
  blocks: number
  quietBlocks: number
  events: number
  /** Parts of events: fields that both sides have. */
  parts: number
}

export type Findings = {
  compared: Compared
  /** `about` is the record, or the marker of the height. */
  report(kind: ViolationKind, about: { offset: bigint; height: number }, message: string): void
  skip(subject: string, reason: string, height: number): void
  violations(): { list: Violation[]; count: number }
  notCompared(): NotCompared[]
}

/** Reasons are messages of a node, which may name heights: kinds beyond this number are counted as one. */
const KEPT_REASONS = 200
const NUMBERS = /\d+/g

export const createFindings = (): Findings => {
  const violations = createViolations()
  const skipped = new Map<string, NotCompared>()
  return {
    compared: { blocks: 0, quietBlocks: 0, events: 0, parts: 0 },
    report: (kind, { offset, height }, message) =>
      violations.add({ kind, offset: offset.toString(), height, message }),
    skip: (subject, reason, height) => {
      const key = `${subject}: ${reason.replace(NUMBERS, '#')}`
      const isKnown = skipped.has(key) || skipped.size < KEPT_REASONS
      const kept = isKnown ? key : 'other'
      const found = skipped.get(kept)
      if (found) found.count++
      else skipped.set(kept, { subject, reason, count: 1, firstHeight: height })
    },
    violations: () => ({ list: violations.list(), count: violations.count() }),
    notCompared: () => [...skipped.values()],
  }
}
