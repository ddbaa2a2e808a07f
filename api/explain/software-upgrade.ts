// Explains software upgrades, their cancellation, and upgrades with a new IBC client state.
import { groupThousands } from '../display-unit.ts'
import { quoted } from './cut.ts'
import {
  codeDetail,
  collectDetails,
  type Detail,
  httpsAddress,
  jsonDetail,
  linkDetail,
  optional,
  textDetail,
  timeDetail,
} from './details.ts'
import type { ExplainContext, Explained, Explainer } from './explainer.ts'
import { getInteger, getMember, getText, isObject } from './members.ts'

const SECOND_MS = 1_000
const HUNDREDTHS = 100
/** The last time that RFC 3339 supports. */
const LAST_TIME = Date.parse('9999-12-31T23:59:00Z')

type Estimate = { time: string; blockSeconds: number; blocks: number }

/** The estimated time of a height, from the average block time before the submission. */
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

const parsedInfo = (info: string): unknown => {
  try {
    return JSON.parse(info)
  } catch {
    return undefined
  }
}

/** Cosmovisor accepts a URL, or JSON with a URL for each platform. */
const infoDetails = (info: string): readonly Detail[] => {
  if (httpsAddress(info) !== undefined) return [linkDetail('Information', info)]
  const json = parsedInfo(info)
  const binaries = getMember(json, 'binaries')
  if (!isObject(binaries)) {
    return [isObject(json) ? jsonDetail('Information', json) : textDetail('Information', info)]
  }
  return Object.entries(binaries).map(([platform, address]) =>
    typeof address === 'string'
      ? linkDetail(`Binary for ${platform}`, address)
      : jsonDetail(`Binary for ${platform}`, address),
  )
}

/** The value of x/upgrade for a plan without a time. */
const NO_TIME = '0001-01-01T00:00:00Z'

const planDetails = (plan: unknown, at: ExplainContext): Detail[] => {
  const height = getInteger(plan, 'height')
  const [time, info] = [getText(plan, 'time'), getText(plan, 'info')]
  return collectDetails(
    optional(codeDetail, 'Name', getText(plan, 'name')),
    height === undefined ? undefined : textDetail('Height', groupThousands(height) ?? height),
    height === undefined ? undefined : estimateDetails(height, at),
    time === undefined || time === NO_TIME ? undefined : timeDetail('Time', time),
    info === undefined ? undefined : infoDetails(info),
  )
}

const named = (name: string | undefined): string => (name === undefined ? '' : ` ${quoted(name)}`)

/** `MsgSoftwareUpgrade` and the legacy `SoftwareUpgradeProposal`. */
export const explainSoftwareUpgrade: Explainer = (message, at) => {
  const plan = getMember(message, 'plan')
  const height = getInteger(plan, 'height')
  if (!isObject(plan) || height === undefined) return undefined
  const estimate = estimateTime(height, at)
  const when = estimate === undefined ? '' : `, estimated for ${estimate.time.slice(0, 10)}`
  return {
    title: 'Software upgrade',
    summary: `The nodes stop at height ${groupThousands(height)}${when}, and continue with the upgrade${named(getText(plan, 'name'))}.`,
    details: planDetails(plan, at),
  }
}

/** `MsgCancelUpgrade` and the legacy `CancelSoftwareUpgradeProposal`. */
export const explainCancelUpgrade: Explainer = () => ({
  title: 'Software upgrade cancellation',
  summary: 'Cancels the scheduled software upgrade, if there is one.',
  details: [],
})

/** `MsgIBCSoftwareUpgrade` and the legacy `UpgradeProposal` of IBC. */
export const explainIbcUpgrade: Explainer = (message, at): Explained | undefined => {
  const plan = getMember(message, 'plan')
  const height = getInteger(plan, 'height')
  if (!isObject(plan) || height === undefined) return undefined
  const state = getMember(message, 'upgraded_client_state')
  return {
    title: 'IBC software upgrade',
    summary: `The nodes stop at height ${groupThousands(height)} for the upgrade${named(getText(plan, 'name'))}, and IBC clients on other chains can follow it.`,
    details: collectDetails(
      planDetails(plan, at),
      isObject(state) ? jsonDetail('Client state after the upgrade', state) : undefined,
    ),
  }
}
