// Computes the checksum of the lines of an export, and one after every segment.
import { createHash } from 'node:crypto'
import { SEGMENT_LINES } from './export-lines.ts'

export type RunningSum = {
  /** A line without its line break. */
  add(line: Uint8Array): void
  finish(): { sha256: string; segments: string[] }
}

const SEGMENT_DIGITS = 16
const BREAK = Uint8Array.of(0x0a)

export const createRunningSum = (segmentLines = SEGMENT_LINES): RunningSum => {
  const hash = createHash('sha256')
  const segments: string[] = []
  let lines = 0
  const soFar = (): string => hash.copy().digest('hex')
  return {
    add: (line) => {
      hash.update(line).update(BREAK)
      lines++
      if (lines % segmentLines === 0) segments.push(soFar().slice(0, SEGMENT_DIGITS))
    },
    finish: () => {
      const sha256 = soFar()
      const isOver = lines % segmentLines === 0
      return {
        sha256,
        segments: isOver ? segments : [...segments, sha256.slice(0, SEGMENT_DIGITS)],
      }
    },
  }
}
