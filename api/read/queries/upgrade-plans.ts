// Reads the software upgrades that a passed proposal has planned, or that open proposals would plan.
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { getMember, getText, toInteger } from '../../explain/members.ts'
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

type Estimate = { time: string; blockSeconds: number; blocks: number }
export type EstimatedUpgrade = UpgradePlan & { estimate: Estimate }

/** The messages and legacy contents that set or cancel the plan of the next upgrade. A chain has one plan at most. */
const PLAN_TYPES: readonly string[] = [
  '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
  '/cosmos.upgrade.v1beta1.MsgCancelUpgrade',
  '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
  '/ibc.core.client.v1.MsgIBCSoftwareUpgrade',
  '/ibc.core.client.v1.UpgradeProposal',
]

/** The plan after these messages; undefined if they set none, or cancel it. */
function findPlan(messages: readonly unknown[]): { height: string; name: string } | undefined {
  const last = messages
    .map((message) => getMember(message, 'content') ?? message)
    .findLast((message) => PLAN_TYPES.includes(getText(message, '@type') ?? ''))
  const height = toInteger(getMember(last, 'plan.height'))
  return height === undefined ? undefined : { height, name: getText(last, 'plan.name') ?? '' }
}

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

const MINUTE_MS = 60_000
/** The last time that RFC 3339 supports. */
const LAST_TIME = Date.parse('9999-12-31T23:59:00Z')

/** The estimated time of a height, from the average block time between two blocks. */
export function estimateTime(
  height: string,
  { from, to }: { from: Block; to: Block },
): Estimate | undefined {
  const blocks = to.height - from.height
  const reachedMs = Date.parse(to.time)
  const ms = reachedMs - Date.parse(from.time)
  const ahead = Number(height) - to.height
  if (!(blocks > 0 && ms > 0 && ahead > 0)) return undefined
  const reached = reachedMs + (ms / blocks) * ahead
  if (!(reached <= LAST_TIME)) return undefined
  const time = new Date(Math.round(reached / MINUTE_MS) * MINUTE_MS).toISOString()
  return { time, blockSeconds: Math.round(ms / blocks / 10) / 100, blocks }
}

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
