// Explains authorizations: what one account may do in the name of another, and messages that use such a grant.
import { quoted } from './cut.ts'
import {
  addressDetail,
  amountDetail,
  codeDetail,
  type Detail,
  detailsOf,
  optional,
  textDetail,
  timeDetail,
} from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { coinsOf, isObject, listOf, memberOf, textOf } from './members.ts'
import { messageName } from './names.ts'
import { countText, nestedDetails } from './nested.ts'
import { valueDetails } from './values.ts'

const SEND = '/cosmos.bank.v1beta1.SendAuthorization'

const MSG_SEND = '/cosmos.bank.v1beta1.MsgSend'

/** The type that is authorized; undefined where the authorization is of another kind. */
const authorizedType = (authorization: unknown): string | undefined =>
  textOf(authorization, '@type') === SEND ? MSG_SEND : textOf(authorization, 'msg')

const limitDetails = (authorization: unknown, { unitOf }: ExplainContext): Detail[] => {
  if (textOf(authorization, '@type') !== SEND) {
    const members = Object.entries(isObject(authorization) ? authorization : {})
    return members.flatMap(([name, value]) =>
      name === '@type' || name === 'msg' ? [] : valueDetails(name, value, unitOf),
    )
  }
  const allowed = listOf(authorization, 'allow_list').filter((each) => typeof each === 'string')
  return detailsOf(
    coinsOf(authorization, 'spend_limit').map((coin) => amountDetail('Limit', coin, unitOf)),
    allowed.map((address) => addressDetail('Allowed recipient', address)),
  )
}

export const explainGrant: Explainer = (message, at) => {
  const [granter, grantee] = [textOf(message, 'granter'), textOf(message, 'grantee')]
  const grant = memberOf(message, 'grant')
  const authorization = memberOf(grant, 'authorization')
  if (granter === undefined || grantee === undefined) return undefined
  const type = authorizedType(authorization)
  const what = type === undefined ? 'some messages' : quoted(messageName(type))
  const expiration = textOf(grant, 'expiration')
  return {
    title: 'Authorization',
    summary: `Allows another account to execute ${what} in the name of the granter.`,
    details: detailsOf(
      addressDetail('Granter', granter),
      addressDetail('Grantee', grantee),
      optional(codeDetail, 'Authorization', textOf(authorization, '@type')),
      optional(codeDetail, 'Message type', type),
      limitDetails(authorization, at),
      expiration === undefined ? textDetail('Expires', 'Never') : timeDetail('Expires', expiration),
    ),
  }
}

export const explainRevoke: Explainer = (message) => {
  const [granter, grantee] = [textOf(message, 'granter'), textOf(message, 'grantee')]
  const type = textOf(message, 'msg_type_url')
  if (granter === undefined || grantee === undefined || type === undefined) return undefined
  return {
    title: 'End of an authorization',
    summary: `Another account can no longer execute ${quoted(messageName(type))} in the name of the granter.`,
    details: detailsOf(
      addressDetail('Granter', granter),
      addressDetail('Grantee', grantee),
      codeDetail('Message type', type),
    ),
  }
}

export const explainExec: Explainer = (message, at) => {
  const messages = listOf(message, 'msgs')
  if (messages.length === 0) return undefined
  return {
    title: 'Messages by authorization',
    summary: `Executes ${countText(messages)} in the name of the accounts that have authorized it.`,
    details: detailsOf(
      optional(addressDetail, 'Grantee', textOf(message, 'grantee')),
      nestedDetails(messages, at),
    ),
  }
}
