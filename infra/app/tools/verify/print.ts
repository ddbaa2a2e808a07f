// A recomputed tally, and a verified proposal, as text for a terminal and as JSON. Pure.
import type { WeightedOption } from '../../../../ingest/contract/facts.ts'
import { OPTION_KEYS, type OptionSums } from '../../../../ingest/contract/option-sums.ts'
import { hashText } from '../../../base/proof/light-block.ts'
import type { VerifiedProposal } from '../../../base/proof/verify.ts'
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

const formatName = ({ moniker, operatorAddress }: PoolWorking): string => {
  const name = [...printable(moniker === '' ? operatorAddress : moniker)]
  return name.length > LONGEST_MONIKER
    ? `${name.slice(0, LONGEST_MONIKER - 1).join('')}…`
    : name.join('')
}

const HEADINGS = ['pool', 'vote', 'carries', 'delegators', 'yes', 'abstain', 'no', 'no with veto']
const LEFT_COLUMNS = 2

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const pad = (cell: string, column: number): string =>
    column < LEFT_COLUMNS ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd())
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

const poolTable = ({ pools, sums, recomputed, served }: Working): string[] => {
  const sumRow = (name: string, values: Partial<OptionSums<string | null>>): string[] => [
    name,
    '',
    '',
    '',
    ...OPTION_KEYS.map((option) => values[option] ?? '-'),
  ]
  return table([
    HEADINGS,
    ...pools.map(poolRow),
    sumRow('sum', sums),
    sumRow('truncated once', recomputed),
    sumRow("the chain's, as served", served),
  ])
}

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

type Proposal = VerifiedProposal['proposal']

const DECIDED: readonly Proposal['status'][] = ['passed', 'rejected', 'failed']

/** Empty before the first tally: the chain stores zeros from the submission on. */
const tallyText = ({ status, tally }: Proposal): string => {
  if (!tally) return ''
  const { yes, no, abstain, noWithVeto } = tally
  const isDecided = DECIDED.includes(status)
  if (!isDecided && [yes, no, abstain, noWithVeto].every((amount) => amount === '0')) return ''
  // An expedited vote that fell back has a tally, and its proposal is open again.
  const name = isDecided ? 'final tally' : 'tally of the round before'
  return `, ${name}: yes ${yes}, no ${no}, abstain ${abstain}, no with veto ${noWithVeto}`
}

const NOT_PROVED =
  'Not proved by this: the single votes, which the chain deletes at the end. Recompute the tally from them with "rollcall tally verify".'

export const proofText = ({ proposal, height, steps }: VerifiedProposal): string => {
  const { id, status } = proposal
  return [
    `proposal ${id} at height ${height}: ${status}${tallyText(proposal)}`,
    '',
    ...steps.map(({ proves }, n) => `${n + 1}. ${proves}`),
    '',
    NOT_PROVED,
  ].join('\n')
}

export const proofJson = ({ proposal, height, path, steps }: VerifiedProposal): string =>
  JSON.stringify(
    {
      proposal,
      height: `${height}`,
      steps,
      path: path.map(({ header, hash }) => ({ height: `${header.height}`, hash: hashText(hash) })),
    },
    null,
    2,
  )
