// The memory that this machine or container has, and the share of one process.
import { totalmem } from 'node:os'

const MIB = 2 ** 20
const MIN_HEAP_MIB = 512
const MAX_HEAP_MIB = 4_096

/** In bytes; the limit of the container if there is one. */
export const availableMemory = (): number => {
  const constrained = process.constrainedMemory?.() ?? 0
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * The option of a process that ends by itself before the machine has no memory: a quarter of the memory for its heap. For NODE_OPTIONS,
 * where a later limit of an operator replaces it.
 */
export const heapLimit = (memoryBytes: number): string => {
  const mebibytes = Math.floor(memoryBytes / 4 / MIB)
  return `--max-old-space-size=${Math.min(MAX_HEAP_MIB, Math.max(MIN_HEAP_MIB, mebibytes))}`
}
