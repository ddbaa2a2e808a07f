// Counts the declarations in a set of file descriptors before it becomes objects: a node may send anything.
import { type Budget, readWireFields } from './wire.ts'

type Kind = 'set' | 'file' | 'message' | 'enum' | 'service' | 'leaf'

/** The fields of `descriptor.proto` that are declarations, by number. */
const DECLARATIONS: Record<Kind, Readonly<Record<number, Kind>>> = {
  set: { 1: 'file' },
  file: { 4: 'message', 5: 'enum', 6: 'service', 7: 'leaf' },
  message: { 2: 'leaf', 3: 'message', 4: 'enum', 6: 'leaf', 8: 'leaf' },
  enum: { 2: 'leaf' },
  service: { 2: 'leaf' },
  leaf: {},
}

const MAX_DEPTH = 32

const visit = (bytes: Uint8Array, kind: Kind, at: { depth: number; budget: Budget }): void => {
  if (at.depth > MAX_DEPTH) throw new RangeError(`types nested deeper than ${MAX_DEPTH}`)
  const declarations = DECLARATIONS[kind]
  for (const { no, value } of readWireFields(bytes, at.budget)) {
    const declared = declarations[no]
    if (!declared || typeof value === 'bigint') continue
    visit(value, declared, { ...at, depth: at.depth + 1 })
  }
}

/** Throws if the set has more declarations (and parts of them) than `maxFields`, or too deep nesting. */
export const checkDeclarations = (set: Uint8Array, maxFields: number): void =>
  visit(set, 'set', { depth: 0, budget: { fields: maxFields } })
