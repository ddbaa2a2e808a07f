// Reads CSV with ClickHouse's own reader, as an independent check.
import type { Store } from '../../../infra/base/clickhouse/client.ts'

export type Row = Record<string, string | null>

/** The rows of an independent reader; an empty cell without quotes is null. */
export const readCsv = async (store: Store, csv: string): Promise<Row[]> => {
  const [head = ''] = csv.split('\r\n', 1)
  const names = head.split(',').map((name) => JSON.parse(name) as string)
  const structure = names.map((name) => `${name} Nullable(String)`).join(', ')
  return await store.select<Row>(
    `SELECT * FROM format(CSVWithNames, '${structure}', '${csv.replace(/['\\]/g, '\\$&')}')`,
    {},
    { settings: { max_query_size: '100000000' } },
  )
}

/** Without the mark that prevents spreadsheets from executing it. */
export const unguarded = (cell: string | null | undefined) => cell?.replace(/^'/, '') ?? null

/** The path in the JSON of each column, also of columns with a different name. */
const PATHS: Record<string, string> = {
  submittedHeight: 'submittedAt.height',
  submittedTxHash: 'submittedAt.txHash',
  updatedHeight: 'updatedAt.height',
  tallyYes: 'tally.yes',
  tallyNo: 'tally.no',
  tallyAbstain: 'tally.abstain',
  tallyNoWithVeto: 'tally.noWithVeto',
  tallyFinal: 'tally.final',
  tallyRule: 'tally.rule.name',
  tallyRuleProvedAt: 'tally.rule.provedAt',
  tallyReported: 'tally.rule.reported',
  delegatorBallots: 'delegators.ballots',
  delegatorVotingPower: 'delegators.votingPower',
  delegatorYes: 'delegators.yes',
  delegatorNo: 'delegators.no',
  delegatorAbstain: 'delegators.abstain',
  delegatorNoWithVeto: 'delegators.noWithVeto',
}
const NESTED = ['pool', 'vote', 'tally', 'explanation']

// biome-ignore lint/suspicious/noExplicitAny: items of all lists
const readField = (item: any, column: string): unknown => {
  const path = PATHS[column]
  if (path) return path.split('.').reduce((value, key) => value?.[key], item)
  if (column === 'poolStatus') return item.pool.status
  if (column === 'poolCounted') return item.pool.counted
  if (column in item) return item[column]
  return NESTED.map((key) => item[key]?.[column]).find((value) => value !== undefined)
}

const formatCell = (column: string, value: unknown): string | null => {
  if (value === undefined || value === null) return null
  if (column === 'options') {
    const options = value as { option: string; weight: string }[]
    return options.map(({ option, weight }) => `${option}:${weight}`).join(' ')
  }
  if (column === 'totalDeposit' || column === 'amount') {
    const coins = value as { amount: string; denom: string }[]
    return coins.map(({ amount, denom }) => `${amount}${denom}`).join(' ')
  }
  if (column === 'messageTypes') return (value as string[]).join(' ')
  if (column === 'authors') return (value as string[]).join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`
}

/** The expected cell for an item of JSON. */
export const expectedCell = (column: string, item: unknown): string | null =>
  formatCell(column, readField(item, column))
