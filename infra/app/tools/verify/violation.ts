// Violations of a log with their positions.

export type Violation = {
  kind:
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
  offset: string
  height: number
  message: string
}

export type RecordPosition = { offset: bigint; height: number }
export type ReportViolation = (
  kind: Violation['kind'],
  position: RecordPosition,
  message: string,
) => void
