// Explains software upgrades, their cancellation, and upgrades with a new IBC client state.
import { isJsonObject, type JsonObject } from '../../ingest/contract/json.ts'
import { groupThousands } from '../display-unit.ts'
import { quoted } from './cut.ts'
import {
  codeDetail,
  type Detail,
  httpsAddress,
  jsonDetail,
  linkDetail,
  optional,
  textDetail,
  timeDetail,
} from './details.ts'
import { defineExplainer, type ExplainContext } from './explainer.ts'
import { getInteger, getMember, getText, parseJson } from './members.ts'

const SECOND_MS = 1_000
const HUNDREDTHS = 100
/** The last time that RFC 3339 supports. */
const LAST_TIME = Date.parse('9999-12-31T23:59:00Z')

export type Estimate = { time: string; blockSeconds: number; blocks: number }

/** The estimated time of a height, from the average block time between two earlier blocks. */
export const estimateTime = (
  height: string,
  { earlierBlock, submission }: Pick<ExplainContext, 'earlierBlock' | 'submission'>,
): Estimate | undefined => {
  if (!earlierBlock || !submission) return undefined
  const blocks = submission.height - earlierBlock.height
  const submitted = Date.parse(submission.time)
  const ms = submitted - Date.parse(earlierBlock.time)
  const ahead = Number(height) - submission.height
  if (!(blocks > 0 && ms > 0 && ahead > 0)) return undefined
  const reached = submitted + (ms / blocks) * ahead
  if (!(reached <= LAST_TIME)) return undefined
  const minute = 60 * SECOND_MS
  const time = new Date(Math.round(reached / minute) * minute).toISOString()
  const blockSeconds = Math.round((ms / blocks / SECOND_MS) * HUNDREDTHS) / HUNDREDTHS
  return { time, blockSeconds, blocks }
}

const estimateDetails = (height: string, at: ExplainContext): readonly Detail[] => {
  const estimate = estimateTime(height, at)
  if (!estimate) return []
  const { time, blockSeconds, blocks } = estimate
  const basis = `${blockSeconds} s per block, the average of the ${groupThousands(`${blocks}`)} blocks before submission. The upgrade height is exact, the time is not.`
  return [timeDetail('Estimated time', time), textDetail('Basis of the estimate', basis)]
}

/** Cosmovisor accepts a URL, or JSON with a URL for each platform. */
const infoDetails = (info: string): readonly Detail[] => {
  if (httpsAddress(info) !== undefined) return [linkDetail('Information', info)]
  const json = parseJson(info)
  const binaries = getMember(json, 'binaries')
  if (!isJsonObject(binaries)) {
    return [isJsonObject(json) ? jsonDetail('Information', json) : textDetail('Information', info)]
  }
  return Object.entries(binaries).map(([platform, address]) =>
    typeof address === 'string'
      ? linkDetail(`Binary for ${platform}`, address)
      : jsonDetail(`Binary for ${platform}`, address),
  )
}

/** The value of x/upgrade for a plan without a time. */
const NO_TIME = '0001-01-01T00:00:00Z'

type Plan = JsonObject & { height: string }

const planDetails = ({ plan }: { plan: Plan }, at: ExplainContext): Detail[] => {
  const { height } = plan
  const [time, info] = [getText(plan, 'time'), getText(plan, 'info')]
  return [
    optional(codeDetail, 'Name', getText(plan, 'name')) ?? [],
    textDetail('Height', groupThousands(height) ?? height),
    estimateDetails(height, at),
    time === undefined || time === NO_TIME ? [] : timeDetail('Time', time),
    info === undefined ? [] : infoDetails(info),
  ].flat()
}

/** Undefined without a height. */
const getPlan = (message: unknown, name: string): Plan | undefined => {
  const plan = getMember(message, name)
  const height = getInteger(plan, 'height')
  return isJsonObject(plan) && height !== undefined ? { ...plan, height } : undefined
}

const upgradeName = (plan: Plan): string => {
  const name = getText(plan, 'name')
  return name === undefined ? '' : ` ${quoted(name)}`
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
  const plan = getPlan(last, 'plan')
  return plan && { height: plan.height, name: getText(plan, 'name') ?? '' }
}

export const UPGRADE_EXPLAINERS = [
  defineExplainer({
    types: UPGRADE_TYPES,
    title: 'Software upgrade',
    required: { plan: getPlan },
    summary: ({ plan }, at) => {
      const estimate = estimateTime(plan.height, at)
      const when = estimate === undefined ? '' : `, estimated for ${estimate.time.slice(0, 10)}`
      const stop = `The nodes stop at height ${groupThousands(plan.height)}${when}`
      return `${stop}, and continue with the upgrade${upgradeName(plan)}.`
    },
    details: [planDetails],
  }),
  defineExplainer({
    types: CANCEL_TYPES,
    title: 'Software upgrade cancellation',
    required: {},
    summary: () => 'Cancels the scheduled software upgrade, if there is one.',
    details: [],
  }),
  defineExplainer({
    types: IBC_UPGRADE_TYPES,
    title: 'IBC software upgrade',
    required: { plan: getPlan },
    summary: ({ plan }) => {
      const stop = `The nodes stop at height ${groupThousands(plan.height)}`
      return `${stop} for the upgrade${upgradeName(plan)}, and IBC clients on other chains can follow it.`
    },
    details: [
      planDetails,
      ({ upgraded_client_state: state }) =>
        isJsonObject(state) ? jsonDetail('Client state after the upgrade', state) : undefined,
    ],
  }),
]
