// Writes rows of the read model directly into a store, in the commit order of the projections: rows, watermarks, checkpoint.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { addressKey } from '../../../ingest/contract/address.ts'
import { ORDINAL, toIndex, toPosition } from '../../../ingest/contract/envelope.ts'
import { toDatabaseName } from '../../../projections/contract/database.ts'
import type { Table } from '../../../projections/contract/table/define-table.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { PoolVoteRow, ProposalRow, Stored, TallyRow } from './stored-rows.ts'

export const CHAIN_ID = 'test-1'

/** One second per height, starting at a fixed date. */
export const timeAt = (height: number): string =>
  new Date(Date.UTC(2026, 10, 21) + height * 1_000).toISOString()

export const timestampAt = (height: number): string =>
  timeAt(height).replace('T', ' ').replace('Z', '')

const versionAt = (height: number): string =>
  toPosition({ height, index: toIndex(ORDINAL.firstAbciEvent, 0) }).toString()

const atto = (units: number): string => (BigInt(units) * 10n ** 18n).toString()

export const proposalRow = (
  id: number | string,
  height: number,
  changes: Partial<ProposalRow> = {},
): ProposalRow => ({
  proposal_id: String(id),
  title: `Proposal ${id}`,
  title_source: 'proposal',
  summary: `What proposal ${id} is for`,
  summary_source: 'proposal',
  authors: [],
  forum_url: null,
  metadata: '',
  proposer: 'test1proposer',
  proposer_key: addressKey(changes.proposer ?? 'test1proposer'),
  message_types: ['/cosmos.gov.v1.MsgUpdateParams'],
  message_count: changes.message_types?.length ?? 1,
  further_message_types: [],
  messages: JSON.stringify([{ '@type': '/cosmos.gov.v1.MsgUpdateParams', authority: 'test1gov' }]),
  changes: JSON.stringify({ changes: [], reason: null }),
  status: 'voting_period',
  expedited: false,
  round: 1,
  round_reason: null,
  failed_reason: null,
  submit_time: timestampAt(1),
  deposit_end_time: timestampAt(1_000),
  voting_start_time: timestampAt(2),
  voting_end_time: timestampAt(2_000),
  closed_time: null,
  closed_height: null,
  total_deposit: [{ denom: 'utest', amount: '500000000' }],
  min_deposit: [{ denom: 'utest', amount: '500000000' }],
  expedited_min_deposit: [{ denom: 'utest', amount: '2500000000' }],
  min_deposit_reason: null,
  submitted_height: '1',
  submitted_tx_hash: 'AB'.repeat(32),
  history: 'complete',
  history_reason: null,
  version: versionAt(height),
  ...changes,
})

/** The power of all votes whose weights add up to 1. */
const sumOptions = (row: Omit<TallyRow, 'voting_power_atto'>): string | null => {
  const options = [
    [row.yes, row.live_yes_atto],
    [row.abstain, row.live_abstain_atto],
    [row.no, row.live_no_atto],
    [row.no_with_veto, row.live_no_with_veto_atto],
  ] as const
  if (options.every(([units]) => units === null)) return null
  const exact = options.map(([units, live]) => {
    const isExact = live !== null && BigInt(live) / 10n ** 18n === BigInt(units ?? 0)
    return isExact ? BigInt(live) : BigInt(units ?? 0) * 10n ** 18n
  })
  return exact.reduce((sum, each) => sum + each, 0n).toString()
}

export const tallyRow = (
  id: number | string,
  height: number,
  changes: Partial<TallyRow> = {},
): TallyRow => {
  const row = createTallyRow(id, height, changes)
  return { voting_power_atto: sumOptions(row), ...row }
}

const createTallyRow = (
  id: number | string,
  height: number,
  changes: Partial<TallyRow>,
): Omit<TallyRow, 'voting_power_atto'> & Pick<Partial<TallyRow>, 'voting_power_atto'> => ({
  proposal_id: String(id),
  round: 1,
  yes: '4000',
  abstain: '200',
  no: '100',
  no_with_veto: '12',
  chain_yes: null,
  chain_abstain: null,
  chain_no: null,
  chain_no_with_veto: null,
  live_yes_atto: atto(4_000),
  live_abstain_atto: atto(200),
  live_no_atto: atto(100),
  live_no_with_veto_atto: atto(12),
  final: false,
  matches_chain: 'unknown',
  matches_chain_reason: 'the vote is still open',
  bonded_tokens: '10000',
  quorum: '0.400000000000000000',
  threshold: '0.500000000000000000',
  veto_threshold: '0.334000000000000000',
  pools_voted: 3,
  ballots: 7,
  pool_rows: 0,
  rule: 'gov',
  rule_proved_height: null,
  reported: false,
  stake_height: null,
  last_day_time: null,
  version: versionAt(height),
  ...changes,
})

export const poolVoteRow = (
  id: number | string,
  rank: number,
  at: { height: number } & Partial<PoolVoteRow>,
): PoolVoteRow => {
  const { height, ...changes } = at
  return {
    proposal_id: String(id),
    round: 1,
    rank,
    operator_address: `testvaloper1${rank}`,
    moniker: `pool ${rank}`,
    status: 'bonded',
    jailed: false,
    counted: true,
    voted: true,
    options: [{ option: 'yes', weight: '1.000000000000000000' }],
    vote_height: String(height),
    vote_time: timestampAt(height),
    vote_tx_hash: 'CD'.repeat(32),
    vote_metadata: null,
    vote_memo: null,
    voting_power_atto: '1500000000000000000',
    bonded_tokens: '1000',
    delegator_ballots: 2,
    delegator_power_atto: atto(3),
    delegator_yes_atto: atto(1),
    delegator_abstain_atto: '0',
    delegator_no_atto: atto(2),
    delegator_no_with_veto_atto: '0',
    yes_atto: '2500000000000000000',
    abstain_atto: '0',
    no_atto: atto(2),
    no_with_veto_atto: '1',
    version: versionAt(height),
    ...changes,
  }
}

const WITH_ROWS = [
  'proposals',
  'tallies',
  'poolVotes',
  'messageBytes',
  'pools',
  'ballots',
  'missedVotes',
  'lightBlocks',
  'events',
] as const

export type Commit = { [Name in (typeof WITH_ROWS)[number]]?: readonly Stored<Name>[] } & {
  height: number
  tip?: number
  /** Ids with their last event at this height; `final` if no event can follow. */
  marks?: readonly { id: number | string; height?: number; final?: boolean; awaits?: boolean }[]
  checkpoint?: Partial<Stored<'checkpoints'>>
}

const database = toDatabaseName(1)

export const seedRows = async (store: Store, commit: Commit): Promise<void> => {
  for (const name of WITH_ROWS) {
    const rows = commit[name] ?? []
    if (rows.length > 0) await store.insert(`${database}.${TABLES[name].name}`, rows)
  }
}

export const seedMarks = async (store: Store, commit: Commit): Promise<void> => {
  const rows = (commit.marks ?? []).map(
    ({ id, height = commit.height, final = false, awaits = false }) => ({
      proposal_id: String(id),
      position: versionAt(height),
      time: timestampAt(height),
      final,
      awaits,
    }),
  )
  if (rows.length > 0) await store.insert(`${database}.${TABLES.watermarks.name}`, rows)
  const checkpoint: Stored<'checkpoints'> = {
    next_offset: String(commit.height),
    refold_offset: '0',
    chain_id: CHAIN_ID,
    height: String(commit.height),
    time: timestampAt(commit.height),
    tip: String(commit.tip ?? commit.height),
    limitations: '[]',
    history: '',
    log_end: String(commit.height),
    lag_events: '0',
    oldest_waiting_since: null,
    written_at: new Date().toISOString().replace('T', ' ').replace('Z', ''),
    ...commit.checkpoint,
  }
  await store.insert(`${database}.${TABLES.checkpoints.name}`, [checkpoint])
}

/** One commit like in the projections. */
export const seed = async (store: Store, commit: Commit): Promise<void> => {
  await seedRows(store, commit)
  await seedMarks(store, commit)
}

export const activateGeneration = async (store: Store): Promise<void> => {
  const row = { generation: 1, state: 'active', changed_at: timestampAt(0), version: '1' }
  await store.insert('rollcall.generations', [row])
}

const TABLE_NAMES = Object.values<Table>(TABLES).flatMap(({ name, copies }) => [
  name,
  ...Object.values(copies).map((copy) => copy.name),
])

/** Removes all rows of the read model. */
export const clearReadModel = async (store: Store): Promise<void> => {
  for (const name of TABLE_NAMES) await store.command(`TRUNCATE TABLE ${database}.${name}`)
}

/** Merges every table, so that every reader finds only the latest row. */
export const replaceRows = async (store: Store): Promise<void> => {
  const untouched = [TABLES.watermarks.name, TABLES.checkpoints.name]
  for (const name of TABLE_NAMES.filter((each) => !untouched.includes(each))) {
    await store.command(`OPTIMIZE TABLE ${database}.${name} FINAL`)
  }
}
