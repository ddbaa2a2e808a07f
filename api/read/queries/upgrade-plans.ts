// Reads the software upgrades that a passed proposal has planned, or that open proposals would plan.
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { type Estimate, estimateTime, findPlan, PLAN_TYPES } from '../../explain/upgrade-plan.ts'
import { chainVersion, createInnerQuery, type Query } from '../query.ts'
import {
  buildLatestTable,
  requireInSnapshot,
  requireOneState,
  type StoreReads,
  selectFrom,
  selectRows,
  takeCharacters,
} from './as-of.ts'
import { formatTimestamp } from './values.ts'

type Block = { height: number; time: string }

export type UpgradePlan = Pick<ProposalRow, 'proposalId' | 'title' | 'proposer'> & {
  /** True if its proposal has passed. */
  isDecided: boolean
  messageTypes: readonly string[]
  height: string
  name: string
  /** Where the average block time begins; null if no such block is known. */
  from: Block | null
}

export type EstimatedUpgrade = UpgradePlan & { estimate: Estimate }

const MAX_OPEN = 50
/** The texts of a calendar are short. */
const TITLE_LENGTH = 500
const PROPOSAL = TABLES.proposals.select(
  [
    'proposalId',
    'title',
    'proposer',
    'status',
    'messageTypes',
    'furtherMessageTypes',
    'messages',
    'submittedHeight',
    'submitTime',
    'version',
  ],
  { title: takeCharacters(TITLE_LENGTH) },
)
type Row = SelectedRow<typeof PROPOSAL>

const MAX_BYTES = 2 ** 18

/** Legacy content is inside a message of another type. */
const HAS_PLAN = `length(messages) <= ${MAX_BYTES}
  AND (hasAny(message_types, {types:Array(String)})
    OR (arrayExists(type -> endsWith(type, '.MsgExecLegacyContent'), message_types)
      AND multiSearchAny(messages, {types:Array(String)})))`

const toStart = (row: Row): Block | null => {
  const time = formatTimestamp(row.submitTime)
  return row.submittedHeight === null || time === null
    ? null
    : { height: row.submittedHeight, time }
}

const toPlan = (row: Row): UpgradePlan[] => {
  const plan = findPlan(JSON.parse(row.messages))
  if (!plan) return []
  const { proposalId, title, proposer, status } = row
  const messageTypes = [...row.messageTypes, ...row.furtherMessageTypes]
  const isDecided = status === 'passed'
  return [{ proposalId, title, proposer, isDecided, messageTypes, from: toStart(row), ...plan }]
}

const readPlans = async (reads: StoreReads): Promise<UpgradePlan[]> => {
  const { snapshot } = reads
  const proposals = buildLatestTable(snapshot, TABLES.proposals)
  const select = (condition: string, rest: string) =>
    selectFrom(reads, PROPOSAL, `${proposals} WHERE ${condition} AND ${HAS_PLAN} ${rest}`, {
      types: PLAN_TYPES,
    })
  const [decided, open] = await Promise.all([
    // The plan of a later proposal replaces an earlier one.
    select(
      `status = 'passed'`,
      'ORDER BY ifNull(closed_time, voting_end_time) DESC, proposal_id DESC LIMIT 1',
    ),
    select(
      `status IN ('deposit_period', 'voting_period')`,
      `ORDER BY proposal_id DESC LIMIT ${MAX_OPEN}`,
    ),
  ])
  const [count] = await selectRows<{ latest: string }>(
    reads,
    `SELECT max(version) AS latest FROM ${proposals}`,
  )
  requireInSnapshot(snapshot, count?.latest)
  const rows = [...decided, ...open]
  for (const row of rows) requireOneState(row, [], snapshot)
  return rows.flatMap(toPlan)
}

export const upgradePlans: Query<UpgradePlan[]> = createInnerQuery({
  name: 'upgrade plans',
  proposalId: null,
  version: chainVersion,
  read: async (reads) => ({ value: await readPlans(reads) }),
})

/**
 * By the average block time up to a block. Without the upgrades that the chain has reached, and those whose time cannot be
 * estimated.
 */
export const estimateUpgrades = (plans: readonly UpgradePlan[], block: Block): EstimatedUpgrade[] =>
  plans.flatMap((plan) => {
    const estimate = plan.from
      ? estimateTime(plan.height, { from: plan.from, to: block })
      : undefined
    return estimate === undefined ? [] : [{ ...plan, estimate }]
  })
