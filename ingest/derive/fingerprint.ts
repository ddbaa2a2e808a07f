// Writes the governance facts of a block as one text, to compare the reports of two endpoints.
import type { Block } from '../comet/blocks/block.ts'
import { deriveFacts } from './derive.ts'

/**
 * Empty for a block without governance facts. Contains only facts with the hash of their transaction, because
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
