// Prints the calculation of a tally as text for a terminal. Pure.
import type { WeightedOption } from '../../../../ingest/contract/facts.ts'
import { OPTION_KEYS } from '../../../../ingest/contract/option-sums.ts'
import { printable } from '../../../base/runtime/xml.ts'
import type { Comparison, PoolWorking, Working } from './tally.ts'

const WHOLE = /^1(?:\.0*)?$/
const LONGEST_MONIKER = 24

const voteText = (vote: readonly WeightedOption[] | null): string => {
  if (vote === null) return '-'
  const texts = vote.map(({ option, weight }) =>
    WHOLE.test(weight) ? option : `${option} ${weight.replace(/\.?0+$/, '')}`,
  )
  return texts.join(' + ')
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const splitGraphemes = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment)

const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u30ff\uff01-\uff60]/u
const computeWidth = (text: string): number =>
  splitGraphemes(text).reduce((width, letter) => width + (WIDE.test(letter) ? 2 : 1), 0)

const formatName = ({ moniker, operatorAddress }: PoolWorking): string => {
  const letters = splitGraphemes(printable(moniker === '' ? operatorAddress : moniker))
  return letters.length > LONGEST_MONIKER
    ? `${letters.slice(0, LONGEST_MONIKER - 1).join('')}…`
    : letters.join('')
}

const HEADINGS = ['pool', 'vote', 'carries', 'delegators', 'yes', 'abstain', 'no', 'no with veto']
const LEFT_COLUMNS = 2

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = HEADINGS.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, computeWidth(row[column] ?? '')), 0),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const gap = ' '.repeat((widths[column] ?? 0) - computeWidth(cell))
        return column < LEFT_COLUMNS ? cell + gap : gap + cell
      })
      .join('  ')
      .trimEnd(),
  )
}

const poolRow = (pool: PoolWorking): string[] => [
  formatName(pool),
  voteText(pool.vote),
  pool.vote === null ? '-' : pool.votingPower,
  pool.delegators.ballots === 0
    ? '-'
    : `${pool.delegators.ballots}: ${pool.delegators.votingPower}`,
  ...OPTION_KEYS.map((option) => pool.tally[option]),
]

const poolTable = (working: Working): string[] =>
  table([
    HEADINGS,
    ...working.pools.map(poolRow),
    ['sum', '', '', '', ...OPTION_KEYS.map((option) => working.sums[option])],
    [
      'truncated once',
      '',
      '',
      '',
      ...OPTION_KEYS.map((option) => working.recomputed[option] ?? '-'),
    ],
    [
      "the chain's, as served",
      '',
      '',
      '',
      ...OPTION_KEYS.map((option) => working.served[option] ?? '-'),
    ],
  ])

const COMPARED = {
  quorum: { what: 'voting power / bonded tokens', word: 'at least', met: 'met', missed: 'missed' },
  veto: { what: 'no with veto / voting power', word: 'above', met: 'vetoed', missed: 'no veto' },
  threshold: {
    what: 'yes / (voting power - abstain)',
    word: 'above',
    met: 'met',
    missed: 'missed',
  },
} as const

const comparisonLine = ({ name, value, limit, isMet }: Comparison): string => {
  const { what, word, met, missed } = COMPARED[name]
  if (limit === null) return `${name.padEnd(10)} this chain has no ${name}`
  const outcome = isMet === null ? 'nothing to divide by' : isMet ? met : missed
  return `${name.padEnd(10)} ${what} = ${value ?? '-'}, must be ${word} ${limit}: ${outcome}`
}

const decisionLines = ({ decision, comparisons }: Working): string[] => {
  if (!decision)
    return ['decision   unknown: the evidence lacks the parameters or the bonded total']
  const { passes } = decision
  const outcome = passes === null ? 'unknown' : passes ? 'passes' : 'does not pass'
  return [
    ...comparisons.map(comparisonLine),
    `decision   ${outcome} (${decision.reason.replaceAll('_', ' ')})`,
  ]
}

export const workingText = (working: Working): string =>
  [
    `proposal ${working.proposalId}, round ${working.round}: ${working.ballots} ballots, ${working.pools.length} pools, strategy ${working.strategy}`,
    '',
    ...poolTable(working),
    '',
    `voting power ${working.votingPower} of ${working.bondedTokens ?? 'unknown'} bonded`,
    ...decisionLines(working),
    '',
    working.equal
      ? 'equal: the evidence adds up to the served tally'
      : 'DIFFERENT: the evidence does not add up to the served tally',
  ].join('\n')
