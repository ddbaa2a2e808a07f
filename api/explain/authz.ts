// Explains authorizations between accounts, and messages that use them.
import { quoted } from './cut.ts'
import {
  addressDetail,
  amountDetail,
  codeDetail,
  collectDetails,
  type Detail,
  optional,
  textDetail,
  timeDetail,
} from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { getCoins, getList, getMember, getText, isObject } from './members.ts'
import { messageName } from './names.ts'
import { countText, nestedDetails } from './nested.ts'
import { valueDetails } from './values.ts'

const SEND = '/cosmos.bank.v1beta1.SendAuthorization'

const MSG_SEND = '/cosmos.bank.v1beta1.MsgSend'

/** The authorized message type; undefined if the authorization has none. */
const authorizedType = (authorization: unknown): string | undefined =>
  getText(authorization, '@type') === SEND ? MSG_SEND : getText(authorization, 'msg')

const limitDetails = (authorization: unknown, { findUnit }: ExplainContext): Detail[] => {
  if (getText(authorization, '@type') !== SEND) {
    const members = Object.entries(isObject(authorization) ? authorization : {})
    return members.flatMap(([name, value]) =>
      name === '@type' || name === 'msg' ? [] : valueDetails(name, value, findUnit),
    )
  }
  const allowed = getList(authorization, 'allow_list').filter((each) => typeof each === 'string')
  return collectDetails(
    getCoins(authorization, 'spend_limit').map((coin) => amountDetail('Limit', coin, findUnit)),
    allowed.map((address) => addressDetail('Allowed recipient', address)),
  )
}

export const explainGrant: Explainer = (message, at) => {
  const [granter, grantee] = [getText(message, 'granter'), getText(message, 'grantee')]
  const grant = getMember(message, 'grant')
  const authorization = getMember(grant, 'authorization')
  if (granter === undefined || grantee === undefined) return undefined
  const type = authorizedType(authorization)
  const what = type === undefined ? 'some messages' : quoted(messageName(type))
  const expiration = getText(grant, 'expiration')
  return {
    title: 'Authorization',
    summary: `Allows another account to execute ${what} on behalf of the granter.`,
    details: collectDetails(
      addressDetail('Granter', granter),
      addressDetail('Grantee', grantee),
      optional(codeDetail, 'Authorization', getText(authorization, '@type')),
      optional(codeDetail, 'Message type', type),
      limitDetails(authorization, at),
      expiration === undefined ? textDetail('Expires', 'Never') : timeDetail('Expires', expiration),
    ),
  }
}

export const explainRevoke: Explainer = (message) => {
  const [granter, grantee] = [getText(message, 'granter'), getText(message, 'grantee')]
  const type = getText(message, 'msg_type_url')
  if (granter === undefined || grantee === undefined || type === undefined) return undefined
  return {
    title: 'Revoked authorization',
    summary: `Another account can no longer execute ${quoted(messageName(type))} on behalf of the granter.`,
    details: collectDetails(
      addressDetail('Granter', granter),
      addressDetail('Grantee', grantee),
      codeDetail('Message type', type),
    ),
  }
}

export const explainExec: Explainer = (message, at) => {
  const messages = getList(message, 'msgs')
  if (messages.length === 0) return undefined
  return {
    title: 'Authorized execution',
    summary: `Executes ${countText(messages)} on behalf of the accounts that authorized it.`,
    details: collectDetails(
      optional(addressDetail, 'Grantee', getText(message, 'grantee')),
      nestedDetails(messages, at),
    ),
  }
}
