// Compares two checks of a deployment: new findings and resolved ones. Pure.
import { type Finding, findingText } from './finding.ts'

export type FindingChange = { change: 'new' | 'over'; finding: Finding }

const SIGNS = { new: '+', over: '-' } as const

/** Heights, ages and sizes change with every check: findings that differ only in numbers are the same. */
const toComparisonKey = ({ area, level, message }: Finding): string =>
  `${area}\n${level}\n${message.replace(/\d+(?:[.,]\d+)*/g, '#')}`

const missingIn = (findings: readonly Finding[], others: readonly Finding[]): Finding[] => {
  const known = new Set(others.map(toComparisonKey))
  return findings.filter((finding) => !known.has(toComparisonKey(finding)))
}

/** Resolved findings come first. */
export const changesBetween = (
  before: readonly Finding[],
  now: readonly Finding[],
): readonly FindingChange[] => [
  ...missingIn(before, now).map((finding) => ({ change: 'over' as const, finding })),
  ...missingIn(now, before).map((finding) => ({ change: 'new' as const, finding })),
]

export const changeText = (at: string, { change, finding }: FindingChange): string =>
  findingText(finding)
    .map((line, index) => (index === 0 ? `${at} ${SIGNS[change]} ${line}` : line))
    .join('\n')
