// The memory that this machine or container has, and the share of one process.
import { totalmem } from 'node:os'

const MIB = 2 ** 20
const HEAP_OPTION = '--max-old-space-size'
const MIN_HEAP_MIB = 512
const MAX_HEAP_MIB = 4_096

/** In bytes; the limit of the container if there is one. */
export const availableMemory = (): number => {
  const constrained = process.constrainedMemory?.() ?? 0
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * The options of a process that ends by itself before the machine has no memory: a quarter of the memory for its heap.
 * Empty if the operator has set a limit.
 */
export const heapLimit = (
  memoryBytes: number,
  { execArgv, nodeOptions = '' }: { execArgv: readonly string[]; nodeOptions?: string | undefined },
): string[] => {
  const isSet = [...execArgv, ...nodeOptions.split(/\s+/)].some((option) =>
    option.replaceAll('_', '-').startsWith(HEAP_OPTION),
  )
  if (isSet) return []
  const mebibytes = Math.floor(memoryBytes / 4 / MIB)
  return [`${HEAP_OPTION}=${Math.min(MAX_HEAP_MIB, Math.max(MIN_HEAP_MIB, mebibytes))}`]
}
