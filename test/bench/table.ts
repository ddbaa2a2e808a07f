// Prints the results as one table, with notes and the names of missed targets.
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

const formatTarget = ({ target, bound }: Finding): string =>
  target === null ? '–' : `${bound === 'most' ? '≤' : '≥'} ${target}`

const toRow = (finding: Finding) => ({
  measurement: finding.name,
  unit: finding.unit,
  rollcall: spread(finding.figures.subject),
  baseline: spread(finding.figures.baseline),
  ratio: spread(finding.figures.ratio),
  target: formatTarget(finding),
})

const formatNotes = ({ name, labels, notes }: Finding): string[] => [
  `${name}: ${labels.subject}, against ${labels.baseline}`,
  ...notes.map((note) => `  ${note}`),
]

export const printTable = (findings: readonly Finding[], failures: readonly Failure[]): void => {
  console.log(
    '\nmedian (min–max) of alternated pairs; a ratio above 1 means faster than the baseline,',
  )
  console.log('or, if the unit is a time, slower')
  console.table(findings.map(toRow))
  for (const line of findings.flatMap(formatNotes)) console.log(line)
  for (const { name, reason } of failures) console.log(`NOT MEASURED: ${name}: ${reason}`)
  const missed = findings.filter((finding) => isMet(finding) === false).map(({ name }) => name)
  console.log(missed.length === 0 ? 'no target missed' : `TARGET MISSED: ${missed.join(', ')}`)
}
