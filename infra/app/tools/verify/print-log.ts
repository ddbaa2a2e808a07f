// Prints the verification of a log, as text for a terminal. Pure.

import { printable } from '../../../base/runtime/printable.ts'
import type { ProofFigures } from './check-proofs.ts'
import type { VerifiedLog } from './verify-log.ts'
import type { Violation } from './violation.ts'

const SHOWN = 50

const counted = (value: number): string => value.toLocaleString('en-US')

const violationLines = (violations: readonly Violation[], count: number): string[] => {
  const lines = violations
    .slice(0, SHOWN)
    .map(({ kind, offset, height, message }) =>
      printable(`  ${kind}: height ${height}, offset ${offset}: ${message}`),
    )
  const more = count - lines.length
  return more > 0 ? [...lines, `  and ${counted(more)} more`] : lines
}

const typeLines = (events: Readonly<Record<string, number>>): string[] =>
  Object.entries(events)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([type, count]) => `  ${counted(count).padStart(12)}  ${printable(type)}`)

const proofLine = ({ lightBlocks, proved, compared, missing }: ProofFigures): string =>
  `verified ${counted(lightBlocks)} signed headers and ${counted(proved)} proofs of proposals; ` +
  `${counted(compared)} have the status and the final tally of the log; ${counted(missing)} were not available`

export const verifiedLogText = ({ figures, violations, violationCount }: VerifiedLog): string => {
  const { chainId, from, to, firstTime, lastTime, markers, records, bytes } = figures
  return [
    `log of ${chainId ?? 'an unknown chain'}: heights ${from ?? '-'} to ${to ?? '-'} (${firstTime ?? '-'} to ${lastTime ?? '-'})`,
    `${counted(records)} records, ${counted(bytes)} bytes, ${counted(markers)} marked heights`,
    ...typeLines(figures.events),
    proofLine(figures.proofs),
    violationCount === 0
      ? 'verified: no gap, all links and counts correct, unique IDs, all events decodable'
      : `WRONG: ${counted(violationCount)} violations`,
    ...violationLines(violations, violationCount),
  ].join('\n')
}
