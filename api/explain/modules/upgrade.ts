// Explains software upgrades, their cancellation, and upgrades with a new IBC client state.
import { isJsonObject } from '../../../ingest/contract/json.ts'
import { groupThousands } from '../../display-unit.ts'
import { httpsAddress, jsonDetail, linkDetail, textDetail, timeDetail } from '../details.ts'
import { defineExplainer, type ToDetails } from '../explainer.ts'
import { getInteger, getMember, getText, parseJson } from '../members.ts'
import { code, inside, integer, name, optional, sentence, shown, text } from '../template.ts'

const MINUTE_MS = 60_000
/** The last time that RFC 3339 supports. */
const LAST_TIME = Date.parse('9999-12-31T23:59:00Z')

type Block = { height: number; time: string }
export type Estimate = { time: string; blockSeconds: number; blocks: number }

/** The estimated time of a height, from the average block time between two blocks. */
export const estimateTime = (
  height: string,
  { from, to }: { from: Block; to: Block },
): Estimate | undefined => {
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

/** Cosmovisor accepts a URL, or JSON with a URL for each platform. */
const infoDetails: ToDetails = (plan) => {
  const info = getText(plan, 'info')
  if (info === undefined) return undefined
  if (httpsAddress(info) !== undefined) return linkDetail('Information', info)
  const json = parseJson(info)
  const binaries = getMember(json, 'binaries')
  if (!isJsonObject(binaries)) {
    return isJsonObject(json) ? jsonDetail('Information', json) : textDetail('Information', info)
  }
  return Object.entries(binaries).map(([platform, address]) =>
    typeof address === 'string'
      ? linkDetail(`Binary for ${platform}`, address)
      : jsonDetail(`Binary for ${platform}`, address),
  )
}

/** The value of x/upgrade for a plan without a time. */
const NO_TIME = '0001-01-01T00:00:00Z'

const timeDetails: ToDetails = (plan) => {
  const time = getText(plan, 'time')
  return time === undefined || time === NO_TIME ? undefined : timeDetail('Time', time)
}

const height = shown(integer('height'), (digits) => groupThousands(digits) ?? digits)

const PLAN = [code('Name', 'name'), text('Height', height), timeDetails, infoDetails].map(
  (toDetails) => inside('plan', toDetails),
)

const upgradeName = optional` ${name('name')}`

const clientState: ToDetails = (message) => {
  const state = getMember(message, 'upgraded_client_state')
  return isJsonObject(state) ? jsonDetail('Client state after the upgrade', state) : undefined
}

const UPGRADE_TYPES = [
  '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
]
const CANCEL_TYPES = [
  '/cosmos.upgrade.v1beta1.MsgCancelUpgrade',
  '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
]
const IBC_UPGRADE_TYPES = [
  '/ibc.core.client.v1.MsgIBCSoftwareUpgrade',
  '/ibc.core.client.v1.UpgradeProposal',
]
/** The messages and legacy contents that set or cancel the plan of the next upgrade. A chain has one plan at most. */
export const PLAN_TYPES: readonly string[] = [
  ...UPGRADE_TYPES,
  ...CANCEL_TYPES,
  ...IBC_UPGRADE_TYPES,
]

/** The plan after these messages; undefined if they set none, or cancel it. */
export const findPlan = (
  messages: readonly unknown[],
): { height: string; name: string } | undefined => {
  const last = messages
    .map((message) => getMember(message, 'content') ?? message)
    .findLast((message) => PLAN_TYPES.includes(getText(message, '@type') ?? ''))
  const plan = getMember(last, 'plan')
  const height = getInteger(plan, 'height')
  return height === undefined ? undefined : { height, name: getText(plan, 'name') ?? '' }
}

export const UPGRADE_EXPLAINERS = [
  defineExplainer({
    types: UPGRADE_TYPES,
    title: 'Software upgrade',
    summary: inside(
      'plan',
      sentence`The nodes stop at height ${height}, and continue with the upgrade${upgradeName}.`,
    ),
    details: PLAN,
  }),
  defineExplainer({
    types: CANCEL_TYPES,
    title: 'Software upgrade cancellation',
    summary: sentence`Cancels the scheduled software upgrade, if there is one.`,
    details: [],
  }),
  defineExplainer({
    types: IBC_UPGRADE_TYPES,
    title: 'IBC software upgrade',
    summary: inside(
      'plan',
      sentence`The nodes stop at height ${height} for the upgrade${upgradeName}, and IBC clients on other chains can follow it.`,
    ),
    details: [...PLAN, clientState],
  }),
]
