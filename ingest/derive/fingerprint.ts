// The governance facts of a block as one text, to compare what two endpoints report of it.
import type { Block } from '../comet/block.ts'
import { deriveFacts } from '../derive.ts'

/**
 * Empty for a block without governance facts. Facts alone, each with the hash of its transaction:
 * endpoints of different versions may number or write other events differently.
 */
export const governanceFingerprint = (block: Block): string => {
  const facts = deriveFacts(block)
  if (facts.length === 0) return ''
  return JSON.stringify(
    facts.map(({ ordinal: _, abciOrdinal: __, txIndex, ...fact }) => ({
      ...fact,
      txHash: txIndex === null ? null : block.txs[txIndex]?.hash,
    })),
  )
}
