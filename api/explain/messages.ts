// The explanations of common messages, by type, with the parts and details that only they have.
import { hash } from 'node:crypto'
import { isJsonObject } from '../../ingest/contract/json.ts'
import type { ExplanationDetail } from '../schemas/explanation.ts'
import { groupThousands } from '../words/display-unit.ts'
import { cut } from '../words/shortened.ts'
import {
  getCoins,
  getList,
  getMember,
  getOmittedBytes,
  getText,
  getTexts,
  messageName,
  parseJson,
  toInteger,
} from './members.ts'
import {
  address,
  addresses,
  amounts,
  code,
  coins,
  count,
  each,
  either,
  expiry,
  type Field,
  type Fields,
  fillFields,
  integer,
  name,
  nestedMessages,
  optional,
  type Part,
  sentence,
  shown,
  type Template,
  text,
} from './template.ts'
import {
  codeDetail,
  coinsText,
  httpsAddress,
  inQuotes,
  jsonDetail,
  linkDetail,
  percentText,
  sizeText,
  textDetail,
  timeDetail,
  valueDetails,
} from './values.ts'

const firstText =
  (...paths: readonly string[]): Part =>
  (message) =>
    paths.map((path) => getText(message, path)).find((found) => found !== undefined)

// x/upgrade

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

const planHeight = shown(integer('plan.height'), (digits) => groupThousands(digits) ?? digits)

const PLAN: Fields = {
  Name: code('plan.name'),
  Height: text(planHeight),
  Time: planTime,
  Information: information,
}

// x/bank

const coinsOfInputs: Part = (message, { unit }) => {
  const inputs = getList(message, 'inputs')
  const all = inputs.flatMap((input) => getCoins(input, 'coins'))
  return inputs.length === 0 ? undefined : coinsText(all, unit)
}

/** The denoms of a list whose transfers are allowed, or not. */
const denomsWith =
  (isEnabled: boolean): Field =>
  (message, _at, label) =>
    getList(message, 'send_enabled')
      .filter((entry) => (getMember(entry, 'enabled') === true) === isEnabled)
      .flatMap((entry) => codeDetail(label, getText(entry, 'denom') ?? ''))

const resetDenoms: Field = (message, _at, label) =>
  getTexts(message, 'use_default_for').map((denom) => codeDetail(label, denom))

// x/authz

const SEND = '/cosmos.bank.v1beta1.SendAuthorization'

const typeName = (source: string | Part): Part =>
  shown(source, (type) => inQuotes(messageName(type)))

/** The authorized message type; undefined if the authorization has none. */
const authorizedType: Part = (message) =>
  getText(message, 'grant.authorization.@type') === SEND
    ? '/cosmos.bank.v1beta1.MsgSend'
    : getText(message, 'grant.authorization.msg')

const SEND_LIMITS = { Limit: amounts('spend_limit'), 'Allowed recipient': addresses('allow_list') }

/** The limits of an authorization of transfers, and all members of another one. */
const limits: Field = (message, at) => {
  const value = getMember(message, 'grant.authorization')
  if (getText(value, '@type') === SEND) return fillFields(SEND_LIMITS, value, at)
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([member, each]) =>
    member === '@type' || member === 'msg' ? [] : valueDetails(member, each, at.unit),
  )
}

const GRANT = { Granter: address('granter'), Grantee: address('grantee') }

// The community pool and IBC

const percentage = shown('percentage', (share) => percentText(share) ?? share)
const untilOrWithout: Part = (message) => (getText(message, 'expiry') ? 'until' : 'without')

/** Longer than any client ID. */
const MAX_ID = 64
const clientId = (path: string): Part => shown(path, (id) => cut(id, MAX_ID))

const clientState: Field = (message, _at, label) => {
  const state = getMember(message, 'upgraded_client_state')
  return isJsonObject(state) ? jsonDetail(label, state) : undefined
}

const upgradeName = optional` ${name('plan.name')}`

// CosmWasm

/** The bytes, which can be compressed; ingest leaves long ones out. */
const readUpload = (message: unknown): { sha256: string; size: string } | undefined => {
  const bytes = getMember(message, 'wasm_byte_code')
  if (typeof bytes !== 'string') return getOmittedBytes(bytes)
  const content = Buffer.from(bytes, 'base64')
  return { sha256: hash('sha256', content, 'hex'), size: `${content.length}` }
}

const uploadSize: Part = (message) => {
  const upload = readUpload(message)
  return upload && sizeText(upload.size)
}

const UPLOAD = {
  'Size of the upload': text(uploadSize),
  'SHA-256 of the upload': code((message) => readUpload(message)?.sha256),
  'Required checksum': code('code_hash'),
}
const SOURCE = { Source: code('source'), Builder: code('builder') }

const PERMISSIONS: ReadonlyMap<string, string> = new Map([
  ['ACCESS_TYPE_NOBODY', 'No account'],
  ['ACCESS_TYPE_EVERYBODY', 'Everyone'],
  ['ACCESS_TYPE_ONLY_ADDRESS', 'One address'],
  ['ACCESS_TYPE_ANY_OF_ADDRESSES', 'The listed addresses'],
])

const permission =
  (member: string): Field =>
  (message, _at, label) => {
    const config = getMember(message, member)
    const type = getText(config, 'permission')
    if (type === undefined) return textDetail(label, 'Default of the chain')
    const all = [getText(config, 'address'), ...getTexts(config, 'addresses')]
    return [
      textDetail(label, PERMISSIONS.get(type) ?? type),
      ...all.flatMap((each): ExplanationDetail[] =>
        each === undefined ? [] : [codeDetail('Address', each)],
      ),
    ]
  }

const PERMISSION = { 'Instantiate permission': permission('instantiate_permission') }

const getCodeIds = (message: unknown): readonly string[] =>
  getList(message, 'code_ids').flatMap((id) => toInteger(id) ?? [])

const namedCodes: Part = (message) => {
  const [first, ...others] = getCodeIds(message)
  if (first === undefined) return undefined
  return others.length === 0 ? `the CosmWasm code ${first}` : `${others.length + 1} CosmWasm codes`
}

const codes: Field = (message, _at, label) => getCodeIds(message).map((id) => codeDetail(label, id))

/** The JSON message for the contract. Some nodes encode it in base64. */
const getCall = (message: unknown): unknown => {
  const value = getMember(message, 'msg')
  if (typeof value !== 'string') return value
  return parseJson(Buffer.from(value, 'base64').toString('utf8')) ?? value
}

/** By convention, the only member of the JSON. */
const methodName: Part = (message) => {
  const call = getCall(message)
  const [first, ...others] = isJsonObject(call) ? Object.keys(call) : []
  return others.length > 0 ? undefined : first
}

const call: Field = (message, _at, label) => {
  const found = getCall(message) ?? null
  return found === null ? undefined : jsonDetail(label, found)
}

const method = optional` ${name(methodName)} of`
const newContract = either(sentence`a contract ${name('label')}`, 'a contract')
const withFunds = optional` with ${coins('funds')}`

const CONTRACT = { Contract: address('contract') }
const CALL = { 'Message to the contract': call }
/** Legacy proposals name the sender `run_as`. */
const SENDER = { Sender: address(firstText('sender', 'run_as')), Funds: amounts('funds') }
const ADMIN = {
  Admin: ((message, at, label) =>
    address('admin')(message, at, label) ??
    textDetail(label, 'None: no account can migrate the contract')) satisfies Field,
}

const inModule = (module: string, templates: Readonly<Record<string, Template>>) =>
  Object.entries(templates).map(([type, template]) => [`/${module}.${type}`, template] as const)

/** By `@type`. */
export const TEMPLATES: ReadonlyMap<string, Template> = new Map([
  ...inModule('cosmos.gov.v1beta1', {
    TextProposal: {
      title: 'Text',
      summary: sentence`A text only. It changes nothing on the chain.`,
    },
  }),
  ...inModule('cosmos.bank.v1beta1', {
    MsgSend: {
      title: 'Transfer',
      summary: sentence`Sends ${coins('amount')} from one account to another.`,
      details: {
        From: address('from_address'),
        To: address('to_address'),
        Amount: amounts('amount'),
      },
    },
    MsgMultiSend: {
      title: 'Transfers',
      summary: sentence`Sends ${coinsOfInputs} to ${count('outputs', 'account')}.`,
      details: {
        Inputs: each('inputs', { From: address('address'), Amount: amounts('coins') }),
        Outputs: each('outputs', { To: address('address'), Amount: amounts('coins') }),
      },
    },
    MsgSetSendEnabled: {
      title: 'Transfer permissions',
      summary: sentence`Changes which tokens can be transferred.`,
      details: {
        'Transfers allowed': denomsWith(true),
        'Transfers forbidden': denomsWith(false),
        'Default of the chain': resetDenoms,
      },
    },
  }),
  ...inModule('cosmos.distribution.v1beta1', {
    MsgCommunityPoolSpend: {
      title: 'Community pool spend',
      summary: sentence`Pays ${coins('amount')} from the community pool to one account.`,
      details: { Amount: amounts('amount'), Recipient: address('recipient') },
    },
    MsgFundCommunityPool: {
      title: 'Community pool funding',
      summary: sentence`Pays ${coins('amount')} into the community pool.`,
      details: { Amount: amounts('amount'), Depositor: address('depositor') },
    },
  }),
  ...inModule('cosmos.protocolpool.v1', {
    MsgCreateContinuousFund: {
      title: 'Continuous fund',
      summary: sentence`Pays ${percentage} of the income of the community pool to one account, ${untilOrWithout} an end date.`,
      details: {
        Recipient: address('recipient'),
        'Share of the pool income': text(percentage),
        Expires: expiry('expiry'),
      },
    },
    MsgCancelContinuousFund: {
      title: 'Canceled continuous fund',
      summary: sentence`Cancels a continuous fund. Its recipient gets no more payments.`,
      details: { Recipient: address('recipient') },
    },
  }),
  ...inModule('cosmos.upgrade.v1beta1', {
    MsgSoftwareUpgrade: {
      title: 'Software upgrade',
      summary: sentence`The nodes stop at height ${planHeight}, and continue with the upgrade${upgradeName}.`,
      details: PLAN,
    },
    MsgCancelUpgrade: {
      title: 'Software upgrade cancellation',
      summary: sentence`Cancels the scheduled software upgrade, if there is one.`,
    },
  }),
  ...inModule('ibc.core.client.v1', {
    MsgIBCSoftwareUpgrade: {
      title: 'IBC software upgrade',
      summary: sentence`The nodes stop at height ${planHeight} for the upgrade${upgradeName}, and IBC clients on other chains can follow it.`,
      details: { ...PLAN, 'Client state after the upgrade': clientState },
    },
    MsgRecoverClient: {
      title: 'IBC client recovery',
      summary: sentence`Gives the IBC client ${clientId('subject_client_id')} the state of the client ${clientId('substitute_client_id')}.`,
      details: {
        'Client to recover': code('subject_client_id'),
        'Substitute client': code('substitute_client_id'),
      },
    },
  }),
  ...inModule('cosmos.authz.v1beta1', {
    MsgGrant: {
      title: 'Authorization',
      summary: sentence`Allows another account to execute ${either(typeName(authorizedType), 'some messages')} on behalf of the granter.`,
      details: {
        ...GRANT,
        Authorization: code('grant.authorization.@type'),
        'Message type': code(authorizedType),
        Limits: limits,
        Expires: expiry('grant.expiration'),
      },
    },
    MsgRevoke: {
      title: 'Revoked authorization',
      summary: sentence`Another account can no longer execute ${typeName('msg_type_url')} on behalf of the granter.`,
      details: { ...GRANT, 'Message type': code('msg_type_url') },
    },
    MsgExec: {
      title: 'Authorized execution',
      summary: sentence`Executes ${count('msgs', 'message')} on behalf of the accounts that authorized it.`,
      details: { Grantee: address('grantee'), Messages: nestedMessages('msgs') },
    },
  }),
  ...inModule('cosmos.group.v1', {
    MsgSubmitProposal: {
      title: 'Group proposal',
      summary: sentence`Submits a proposal ${either(sentence`with ${count('messages', 'message')}`, 'without messages')} to a group, which votes on it.`,
      details: {
        'Group policy': address('group_policy_address'),
        Proposer: addresses('proposers'),
        Title: text('title'),
        Summary: text('summary'),
        Messages: nestedMessages('messages'),
      },
    },
    MsgExec: {
      title: 'Group proposal execution',
      summary: sentence`Executes the proposal ${integer('proposal_id')} of a group, if the group has accepted it.`,
      details: { 'Group proposal': code(integer('proposal_id')), Executor: address('executor') },
    },
  }),
  ...inModule('ibc.lightclients.wasm.v1', {
    MsgStoreCode: {
      title: 'Light client upload',
      summary: sentence`Stores an IBC light client of ${uploadSize} on the chain.`,
      details: { ...UPLOAD, ...SOURCE },
    },
  }),
  ...inModule('cosmwasm.wasm.v1', {
    MsgStoreCode: {
      title: 'Contract code upload',
      summary: sentence`Stores a CosmWasm code of ${uploadSize} on the chain. It does nothing until a contract uses it.`,
      details: { ...UPLOAD, ...SOURCE, ...PERMISSION },
    },
    MsgStoreAndMigrateContract: {
      title: 'Contract code upload and migration',
      summary: sentence`Stores a CosmWasm code of ${uploadSize} and migrates a contract to it.`,
      details: {
        ...CONTRACT,
        ...UPLOAD,
        ...SOURCE,
        'Message to the new code': call,
        ...PERMISSION,
      },
    },
    MsgPinCodes: {
      title: 'Pinned contract codes',
      summary: sentence`Pins ${namedCodes} in the memory of the nodes, so that calls cost less gas.`,
      details: { Code: codes },
    },
    MsgUnpinCodes: {
      title: 'Unpinned contract codes',
      summary: sentence`Unpins ${namedCodes} from the memory of the nodes, so that calls cost more gas.`,
      details: { Code: codes },
    },
    MsgUpdateInstantiateConfig: {
      title: 'Instantiate permission of a code',
      summary: sentence`Changes who can instantiate contracts of the CosmWasm code ${integer('code_id')}.`,
      details: {
        Code: code(integer('code_id')),
        'Instantiate permission': permission('new_instantiate_permission'),
      },
    },
    MsgInstantiateContract: {
      title: 'New contract',
      summary: sentence`Creates ${newContract} from the CosmWasm code ${integer('code_id')}${withFunds}.`,
      details: {
        Code: code(integer('code_id')),
        Label: text('label'),
        ...ADMIN,
        ...SENDER,
        ...CALL,
      },
    },
    MsgStoreAndInstantiateContract: {
      title: 'Contract code upload and new contract',
      summary: sentence`Stores a CosmWasm code and creates the contract ${name('label')} from it${withFunds}.`,
      details: { ...UPLOAD, ...ADMIN, Funds: amounts('funds'), ...CALL, ...PERMISSION },
    },
    MsgMigrateContract: {
      title: 'Contract migration',
      summary: sentence`Migrates a contract to the CosmWasm code ${integer('code_id')}.`,
      details: {
        ...CONTRACT,
        'New code': code(integer('code_id')),
        'Message to the new code': call,
      },
    },
    MsgExecuteContract: {
      title: 'Contract call',
      summary: sentence`Calls${method} a contract${withFunds}.`,
      details: { ...CONTRACT, ...SENDER, ...CALL },
    },
    // A contract accepts this call only from the chain itself.
    MsgSudoContract: {
      title: 'Privileged contract call',
      summary: sentence`Calls${method} a contract with the rights of the chain (sudo).`,
      details: { ...CONTRACT, ...CALL },
    },
    MsgUpdateAdmin: {
      title: 'Contract admin change',
      summary: sentence`Changes the admin of a contract. The admin can migrate it.`,
      details: { ...CONTRACT, 'New admin': address('new_admin') },
    },
    MsgClearAdmin: {
      title: 'Contract admin removal',
      summary: sentence`Removes the admin of a contract. Only governance can migrate it after that.`,
      details: CONTRACT,
    },
  }),
])

/** Types whose members are those of another one. */
const SAME: ReadonlyMap<string, string> = new Map([
  [
    '/cosmos.protocolpool.v1.MsgCommunityPoolSpend',
    '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  ],
  [
    '/cosmos.protocolpool.v1.MsgFundCommunityPool',
    '/cosmos.distribution.v1beta1.MsgFundCommunityPool',
  ],
  ['/cosmos.upgrade.v1beta1.MsgCancelSoftwareUpgrade', '/cosmos.upgrade.v1beta1.MsgCancelUpgrade'],
  ['/ibc.core.client.v1.MsgClientUpdate', '/ibc.core.client.v1.MsgRecoverClient'],
  ['/ibc.core.client.v1.MsgUpgrade', '/ibc.core.client.v1.MsgIBCSoftwareUpgrade'],
  ['/cosmwasm.wasm.v1.MsgInstantiateContract2', '/cosmwasm.wasm.v1.MsgInstantiateContract'],
])

/** A legacy content is named as its message, with `Proposal` at the end: `PinCodesProposal`. */
const toMessageType = (type: string): string => type.replace(/\.(\w+)Proposal$/, '.Msg$1')

export function findTemplate(type: string): Template | undefined {
  const found = TEMPLATES.get(type)
  if (found) return found
  const message = toMessageType(type)
  return TEMPLATES.get(SAME.get(message) ?? message)
}
