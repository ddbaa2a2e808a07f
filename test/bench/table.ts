// Formats the results as one table for a terminal, with notes and the names of missed targets.
import { type Finding, isMet, type Spread } from './measure.ts'

export type Failure = { name: string; reason: string }

const number = (value: number): string => {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

const spread = ({ median, min, max }: Spread): string =>
  `${number(median)} (${number(min)}–${number(max)})`

const formatResult = (finding: Finding): string => {
  const met = isMet(finding)
  if (met === null) return '–'
  return met ? 'yes' : 'NO'
}

const formatTarget = ({ target, bound }: Finding): string => {
  if (target === null) return '–'
  return `${bound === 'most' ? '≤' : '≥'} ${target}`
}

const toRow = (finding: Finding): string[] => [
  finding.name,
  finding.unit,
  spread(finding.subject.figure),
  spread(finding.baseline.figure),
  spread(finding.ratio),
  formatTarget(finding),
  formatResult(finding),
]

const HEADINGS = ['measurement', 'unit', 'rollcall', 'baseline', 'ratio', 'target', 'met']
const LEFT_COLUMNS = 2

const layOut = (rows: readonly string[][]): string[] => {
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column < LEFT_COLUMNS ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  '),
  )
}

const formatNotes = ({ name, subject, baseline, notes }: Finding): string[] => [
  `${name}: ${subject.label}, against ${baseline.label}`,
  ...notes.map((note) => `  ${note}`),
]

const formatSummary = (findings: readonly Finding[], failures: readonly Failure[]): string => {
  const promised = findings.filter(({ target }) => target !== null)
  const missed = promised.filter((finding) => isMet(finding) === false).map(({ name }) => name)
  const parts = [
    missed.length === 0
      ? `all ${promised.length} targets met`
      : `TARGET MISSED: ${missed.join(', ')} (${promised.length - missed.length} of ${promised.length} met)`,
  ]
  if (failures.length > 0) {
    parts.push(`NOT MEASURED: ${failures.map(({ name }) => name).join(', ')}`)
  }
  return parts.join('; ')
}

export const renderTable = (findings: readonly Finding[], failures: readonly Failure[]): string => {
  const rows = layOut([HEADINGS, ...findings.map(toRow)])
  return [
    'median (min–max) of alternated pairs; a ratio above 1 means faster than the baseline,',
    'or, if the unit is a time, slower',
    '',
    ...rows,
    '',
    ...findings.flatMap(formatNotes),
    ...failures.map(({ name, reason }) => `${name}: not measured: ${reason}`),
    '',
    formatSummary(findings, failures),
  ].join('\n')
}
