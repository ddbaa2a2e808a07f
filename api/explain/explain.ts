// Explains the messages of a proposal, with an explainer for each common type and a generic one for other types.
import type { DisplayUnit } from '../display-unit.ts'
import { type Explanation, MAX_DETAILS } from '../schemas/explanation.ts'
import { explainExec, explainGrant, explainRevoke } from './authz.ts'
import { explainMultiSend, explainSend, explainSetSendEnabled } from './bank.ts'
import type { ProposalContext } from './context.ts'
import { explainCancelContinuousFund, explainContinuousFund } from './continuous-fund.ts'
import { cut } from './cut.ts'
import { textDetail } from './details.ts'
import type { ExplainContext, Explained, Explainer, ParameterChange } from './explainer.ts'
import { explainGeneric, explainUndecoded, unknownFieldsDetail } from './generic.ts'
import { explainLegacyContent, explainText } from './gov.ts'
import { explainGroupExec, explainGroupProposal } from './group.ts'
import { explainRecoverClient } from './ibc-client.ts'
import { getText, isObject, type JsonObject } from './members.ts'
import { createObservationLookup } from './observations.ts'
import {
  explainLegacyChange,
  explainUpdateParams,
  isUpdateParams,
  LEGACY_PARAMETER_CHANGE,
} from './parameter-changes.ts'
import {
  explainCancelUpgrade,
  explainIbcUpgrade,
  explainSoftwareUpgrade,
} from './software-upgrade.ts'
import { explainDistributionSpend, explainFundPool, explainProtocolPoolSpend } from './spends.ts'
import { createUnitLookup } from './units.ts'
import {
  explainInstantiateConfig,
  explainPinCodes,
  explainStoreAndMigrate,
  explainStoreCode,
  explainStoreLightClient,
  explainUnpinCodes,
} from './wasm-code.ts'
import {
  explainClearAdmin,
  explainExecute,
  explainInstantiate,
  explainMigrate,
  explainStoreAndInstantiate,
  explainSudo,
  explainUpdateAdmin,
} from './wasm-contract.ts'

/** Explainers by `@type`. A `MsgUpdateParams` that is not listed uses the explainer of parameters. */
export const EXPLAINERS: ReadonlyMap<string, Explainer> = new Map([
  [LEGACY_PARAMETER_CHANGE, explainLegacyChange],
  ['/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', explainSoftwareUpgrade],
  ['/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal', explainSoftwareUpgrade],
  ['/cosmos.upgrade.v1beta1.MsgCancelUpgrade', explainCancelUpgrade],
  ['/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal', explainCancelUpgrade],
  ['/cosmos.distribution.v1beta1.MsgCommunityPoolSpend', explainDistributionSpend],
  ['/cosmos.distribution.v1beta1.CommunityPoolSpendProposal', explainDistributionSpend],
  ['/cosmos.distribution.v1beta1.MsgFundCommunityPool', explainFundPool],
  ['/cosmos.protocolpool.v1.MsgCommunityPoolSpend', explainProtocolPoolSpend],
  ['/cosmos.protocolpool.v1.MsgFundCommunityPool', explainFundPool],
  ['/cosmos.protocolpool.v1.MsgCreateContinuousFund', explainContinuousFund],
  ['/cosmos.protocolpool.v1.MsgCancelContinuousFund', explainCancelContinuousFund],
  ['/ibc.core.client.v1.MsgRecoverClient', explainRecoverClient],
  ['/ibc.core.client.v1.ClientUpdateProposal', explainRecoverClient],
  ['/ibc.core.client.v1.MsgIBCSoftwareUpgrade', explainIbcUpgrade],
  ['/ibc.core.client.v1.UpgradeProposal', explainIbcUpgrade],
  ['/ibc.lightclients.wasm.v1.MsgStoreCode', explainStoreLightClient],
  ['/cosmwasm.wasm.v1.MsgStoreCode', explainStoreCode],
  ['/cosmwasm.wasm.v1.StoreCodeProposal', explainStoreCode],
  ['/cosmwasm.wasm.v1.MsgStoreAndInstantiateContract', explainStoreAndInstantiate],
  ['/cosmwasm.wasm.v1.StoreAndInstantiateContractProposal', explainStoreAndInstantiate],
  ['/cosmwasm.wasm.v1.MsgStoreAndMigrateContract', explainStoreAndMigrate],
  ['/cosmwasm.wasm.v1.MsgPinCodes', explainPinCodes],
  ['/cosmwasm.wasm.v1.PinCodesProposal', explainPinCodes],
  ['/cosmwasm.wasm.v1.MsgUnpinCodes', explainUnpinCodes],
  ['/cosmwasm.wasm.v1.UnpinCodesProposal', explainUnpinCodes],
  ['/cosmwasm.wasm.v1.MsgUpdateInstantiateConfig', explainInstantiateConfig],
  ['/cosmwasm.wasm.v1.MsgInstantiateContract', explainInstantiate],
  ['/cosmwasm.wasm.v1.MsgInstantiateContract2', explainInstantiate],
  ['/cosmwasm.wasm.v1.InstantiateContractProposal', explainInstantiate],
  ['/cosmwasm.wasm.v1.InstantiateContract2Proposal', explainInstantiate],
  ['/cosmwasm.wasm.v1.MsgMigrateContract', explainMigrate],
  ['/cosmwasm.wasm.v1.MigrateContractProposal', explainMigrate],
  ['/cosmwasm.wasm.v1.MsgExecuteContract', explainExecute],
  ['/cosmwasm.wasm.v1.ExecuteContractProposal', explainExecute],
  ['/cosmwasm.wasm.v1.MsgSudoContract', explainSudo],
  ['/cosmwasm.wasm.v1.SudoContractProposal', explainSudo],
  ['/cosmwasm.wasm.v1.MsgUpdateAdmin', explainUpdateAdmin],
  ['/cosmwasm.wasm.v1.UpdateAdminProposal', explainUpdateAdmin],
  ['/cosmwasm.wasm.v1.MsgClearAdmin', explainClearAdmin],
  ['/cosmwasm.wasm.v1.ClearAdminProposal', explainClearAdmin],
  ['/cosmos.authz.v1beta1.MsgGrant', explainGrant],
  ['/cosmos.authz.v1beta1.MsgRevoke', explainRevoke],
  ['/cosmos.authz.v1beta1.MsgExec', explainExec],
  ['/cosmos.group.v1.MsgSubmitProposal', explainGroupProposal],
  ['/cosmos.group.v1.MsgExec', explainGroupExec],
  ['/cosmos.bank.v1beta1.MsgSend', explainSend],
  ['/cosmos.bank.v1beta1.MsgMultiSend', explainMultiSend],
  ['/cosmos.bank.v1beta1.MsgSetSendEnabled', explainSetSendEnabled],
  ['/cosmos.gov.v1beta1.TextProposal', explainText],
  ['/cosmos.gov.v1.MsgExecLegacyContent', explainLegacyContent],
])

export type ExplainedProposal = {
  /** In the JSON format of the REST API of the node. */
  messages: readonly unknown[]
  context: ProposalContext
  /** The changes of all messages; null with a reason if they are not known. */
  changes: readonly ParameterChange[] | null
  changesReason: string | null
  submittedAt: { height: number } | null
  submitTime: string | null
  /** For a denom without a display unit in the state of the chain. */
  displayUnit: DisplayUnit | undefined
}

type Nested = Explained & { type: string }
type Shared = Omit<ExplainContext, 'changes' | 'explainNested'>

const MAX_DEPTH = 4
const MAX_SUMMARY = 1_000
const MAX_TITLE = 200
const MAX_TYPE = 1_000

const findExplainer = (type: string): Explainer | undefined =>
  EXPLAINERS.get(type) ?? (isUpdateParams(type) ? explainUpdateParams : undefined)

const bounded = ({ title, summary, details }: Explained, message: JsonObject): Explained => {
  const unknown = unknownFieldsDetail(message)
  const all = unknown ? [unknown, ...details] : details
  const kept = all.length <= MAX_DETAILS ? all : all.slice(0, MAX_DETAILS - 1)
  const more = textDetail('More values', 'See the JSON of the message')
  return {
    title: cut(title, MAX_TITLE),
    summary: cut(summary, MAX_SUMMARY),
    details: kept.length === all.length ? kept : [...kept, more],
  }
}

const explainOne = (
  message: unknown,
  at: Pick<ExplainContext, 'changes'> & { shared: Shared; depth: number },
): Nested => {
  const { shared, depth, changes } = at
  const fields = isObject(message) ? message : {}
  const type = getText(fields, '@type') ?? ''
  const context: ExplainContext = {
    ...shared,
    changes,
    explainNested: (inner) => explainOne(inner, { ...at, depth: depth + 1 }),
  }
  const explained =
    explainUndecoded(fields, context) ??
    (depth <= MAX_DEPTH ? findExplainer(type)?.(fields, context) : undefined) ??
    explainGeneric(fields, context)
  return { ...bounded(explained, fields), type: cut(type, MAX_TYPE) }
}

const MAX_VISITS = 10_000

/** The number of messages that change parameters, including nested ones. */
const countParameterMessages = (message: unknown): number => {
  const stack: unknown[] = [message]
  let count = 0
  for (let visits = 0; stack.length > 0 && visits < MAX_VISITS; visits++) {
    const part = stack.pop()
    if (typeof part !== 'object' || part === null) continue
    const type = getText(part, '@type')
    if (type !== undefined && (isUpdateParams(type) || type === LEGACY_PARAMETER_CHANGE)) count++
    for (const each of Object.values(part).slice(0, MAX_VISITS)) stack.push(each)
  }
  return count
}

const SEVERAL = 'several messages inside this message change parameters'

/** Changes refer to the outer message only, so they are ambiguous if several nested messages change parameters. */
const selectChanges = (
  { messages, changes, changesReason }: ExplainedProposal,
  index: number,
): Pick<ExplainContext, 'changes' | 'changesReason'> => {
  if (changes === null) return { changes: null, changesReason }
  return countParameterMessages(messages[index]) > 1
    ? { changes: null, changesReason: SEVERAL }
    : { changes: changes.filter(({ message }) => message === index), changesReason: null }
}

/** One explanation for each message, in order. It never throws, whatever the input contains. */
export const explainMessages = (proposal: ExplainedProposal): Explanation[] => {
  const { context, submittedAt, submitTime, displayUnit } = proposal
  const findObservation = createObservationLookup(context.observations)
  const base = {
    findObservation,
    findUnit: createUnitLookup(findObservation, displayUnit),
    earlierBlock: context.earlierBlock,
    submission: submittedAt && submitTime ? { height: submittedAt.height, time: submitTime } : null,
  }
  return proposal.messages.map((message, index) => {
    const { changes, changesReason } = selectChanges(proposal, index)
    const shared = { ...base, changesReason }
    const { type, ...explained } = explainOne(message, { changes, shared, depth: 0 })
    return { message: index, type, ...explained }
  })
}
