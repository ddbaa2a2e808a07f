// Formats a comparison of two generations and a list of generations for the terminal. Pure.
import { isDeepStrictEqual } from 'node:util'
import type { Comparison, Difference } from './compare.ts'
import type { ListedGeneration } from './list.ts'
import type { ShownTally } from './tallies.ts'

const MAX_SHOWN = 20
const NAME_COLUMN = 18
const COLUMN = 15

const grouped = (value: number): string => value.toLocaleString('en-US')
const right = (text: string): string => text.padStart(COLUMN)

const moreText = (shown: number, all: number): string[] =>
  all > shown ? [`  … and ${grouped(all - shown)} more`] : []

const describeSubject = ({ table, key }: Difference): string => {
  if (key === '') return table
  if (table === 'pools' || table === 'pool_states') return `${table} of pool ${key}`
  return key === '0' ? `${table} of no proposal` : `${table} of proposal ${key}`
}

const differenceLine = (difference: Difference): string => {
  const [one, other] = difference.rows
  const rows =
    one === other
      ? `${grouped(one)} rows, different content`
      : `${grouped(one)} → ${grouped(other)} rows`
  return `  ${describeSubject(difference)}: ${rows}`
}

const tallyText = (tally: ShownTally | null): string => {
  if (!tally) return 'none'
  const { yes, abstain, no, noWithVeto: veto, matchesChain: matches } = tally
  const known = (amount: bigint | null): string => amount?.toString() ?? 'unknown'
  return `yes ${known(yes)}, abstain ${known(abstain)}, no ${known(no)}, no with veto ${known(veto)} (the chain's own: ${matches})`
}

const tallyLines = ({ tallies }: Comparison): string[] =>
  tallies
    .filter(({ tallies: [one, other] }) => !isDeepStrictEqual(one, other))
    .flatMap(({ proposalId, round, tallies: [one, other] }) => [
      `  proposal ${proposalId}, round ${round}`,
      `    ${tallyText(one)}`,
      `    ${tallyText(other)}`,
    ])

export const comparisonText = (comparison: Comparison): string => {
  const { generations, height, tables, differences, verdicts, notCompared } = comparison
  const [one, other] = generations
  const formatRounds = (name: 'yes' | 'no' | 'unknown'): string =>
    `${grouped(verdicts[0][name])} → ${grouped(verdicts[1][name])}`
  const tallied = tallyLines(comparison)
  return [
    `generation ${other} compared with generation ${one}, which is served, up to height ${grouped(height)}:`,
    `  ${'table'.padEnd(NAME_COLUMN)}${right(`rows of ${one}`)}${right(`rows of ${other}`)}`,
    ...tables.map(({ table, rows, differing }) => {
      const state = differing === 0 ? 'equal' : `${grouped(differing)} differ`
      return `  ${table.padEnd(NAME_COLUMN)}${right(grouped(rows[0]))}${right(grouped(rows[1]))}   ${state}`
    }),
    `  tallies that match the chain: yes ${formatRounds('yes')}, no ${formatRounds('no')}, unknown ${formatRounds('unknown')}`,
    ...(notCompared.length > 0 ? [`  only in one generation: ${notCompared.join(', ')}`] : []),
    ...(differences.length > 0 ? ['differences:'] : []),
    ...differences.slice(0, MAX_SHOWN).map(differenceLine),
    ...moreText(MAX_SHOWN, differences.length),
    ...(tallied.length > 0 ? ['different tallies:', ...tallied] : []),
  ].join('\n')
}

const sizeText = (bytes: number): string => {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`
  return `${grouped(Math.round(bytes / 1024 / 1024))} MiB`
}

export const generationLine = (listed: ListedGeneration): string => {
  const { generation, state, since, reason, height, bytes } = listed
  const parts = [
    `${String(generation).padStart(4)}  ${state.padEnd(8)} since ${since}`,
    ...(height === null ? [] : [`height ${grouped(height)}`]),
    ...(bytes === null ? [] : [sizeText(bytes)]),
    ...(reason === null ? [] : [reason]),
  ]
  return parts.join('  ')
}
