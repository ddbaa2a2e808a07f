// The plan of a software upgrade: its members as details, the plan that messages leave, and when its height is expected.
import { isJsonObject } from '../../ingest/contract/json.ts'
import { groupThousands } from '../display-unit.ts'
import { getMember, getText, parseJson, toInteger } from './members.ts'
import { code, type Field, type Fields, integer, shown, text } from './template.ts'
import { httpsAddress, jsonDetail, linkDetail, textDetail, timeDetail } from './values.ts'

/** Cosmovisor accepts a URL, or JSON with a URL for each platform. */
const information: Field = (message, _at, label) => {
  const info = getText(message, 'plan.info')
  if (info === undefined) return undefined
  if (httpsAddress(info) !== undefined) return linkDetail(label, info)
  const json = parseJson(info)
  const binaries = getMember(json, 'binaries')
  if (!isJsonObject(binaries)) {
    return isJsonObject(json) ? jsonDetail(label, json) : textDetail(label, info)
  }
  return Object.entries(binaries).map(([platform, address]) =>
    (typeof address === 'string' ? linkDetail : jsonDetail)(
      `Binary for ${platform}`,
      address as string,
    ),
  )
}

/** The value of x/upgrade for a plan without a time. */
const NO_TIME = '0001-01-01T00:00:00Z'

const planTime: Field = (message, _at, label) => {
  const time = getText(message, 'plan.time') ?? NO_TIME
  return time === NO_TIME ? undefined : timeDetail(label, time)
}

export const planHeight = shown(
  integer('plan.height'),
  (digits) => groupThousands(digits) ?? digits,
)

export const PLAN: Fields = {
  Name: code('plan.name'),
  Height: text(planHeight),
  Time: planTime,
  Information: information,
}

/** The messages and legacy contents that set or cancel the plan of the next upgrade. A chain has one plan at most. */
export const PLAN_TYPES: readonly string[] = [
  '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
  '/cosmos.upgrade.v1beta1.MsgCancelUpgrade',
  '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
  '/ibc.core.client.v1.MsgIBCSoftwareUpgrade',
  '/ibc.core.client.v1.UpgradeProposal',
]

/** The plan after these messages; undefined if they set none, or cancel it. */
export function findPlan(
  messages: readonly unknown[],
): { height: string; name: string } | undefined {
  const last = messages
    .map((message) => getMember(message, 'content') ?? message)
    .findLast((message) => PLAN_TYPES.includes(getText(message, '@type') ?? ''))
  const height = toInteger(getMember(last, 'plan.height'))
  return height === undefined ? undefined : { height, name: getText(last, 'plan.name') ?? '' }
}

const MINUTE_MS = 60_000
/** The last time that RFC 3339 supports. */
const LAST_TIME = Date.parse('9999-12-31T23:59:00Z')

type Block = { height: number; time: string }
export type Estimate = { time: string; blockSeconds: number; blocks: number }

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
