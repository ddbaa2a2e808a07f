// Explains authorizations between accounts, and messages that use them.
import { isJsonObject } from '../../ingest/contract/json.ts'
import { quoted } from './cut.ts'
import {
  addressesMember,
  addressMember,
  codeDetail,
  codeMember,
  coinsMember,
  type Detail,
  expiryDetail,
  optional,
} from './details.ts'
import { defineExplainer, type ExplainContext } from './explainer.ts'
import { getFilledList, getMember, getText } from './members.ts'
import { messageName } from './names.ts'
import { countText, nestedDetails } from './nested.ts'
import { valueDetails } from './values.ts'

const SEND = '/cosmos.bank.v1beta1.SendAuthorization'
const MSG_SEND = '/cosmos.bank.v1beta1.MsgSend'

const isSend = (authorization: unknown): boolean => getText(authorization, '@type') === SEND

const getAuthorization = (message: unknown): unknown =>
  getMember(getMember(message, 'grant'), 'authorization')

/** The authorized message type; undefined if the authorization has none. */
const authorizedType = (message: unknown): string | undefined => {
  const authorization = getAuthorization(message)
  return isSend(authorization) ? MSG_SEND : getText(authorization, 'msg')
}

const sendLimit = coinsMember('Limit', 'spend_limit')
const allowedRecipients = addressesMember('Allowed recipient', 'allow_list')

const limitDetails = (message: unknown, at: ExplainContext): Detail[] => {
  const authorization = getAuthorization(message)
  if (isSend(authorization)) {
    return [...sendLimit(authorization, at), ...allowedRecipients(authorization)]
  }
  const members = Object.entries(isJsonObject(authorization) ? authorization : {})
  return members.flatMap(([name, value]) =>
    name === '@type' || name === 'msg' ? [] : valueDetails(name, value, at.findUnit),
  )
}

export const AUTHZ_EXPLAINERS = [
  defineExplainer({
    types: ['/cosmos.authz.v1beta1.MsgGrant'],
    title: 'Authorization',
    required: { granter: getText, grantee: getText },
    summary: (message) => {
      const type = authorizedType(message)
      const what = type === undefined ? 'some messages' : quoted(messageName(type))
      return `Allows another account to execute ${what} on behalf of the granter.`
    },
    details: [
      addressMember('Granter', 'granter'),
      addressMember('Grantee', 'grantee'),
      (message) =>
        optional(codeDetail, 'Authorization', getText(getAuthorization(message), '@type')),
      (message) => optional(codeDetail, 'Message type', authorizedType(message)),
      limitDetails,
      ({ grant }) => expiryDetail(getText(grant, 'expiration')),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.authz.v1beta1.MsgRevoke'],
    title: 'Revoked authorization',
    required: { granter: getText, grantee: getText, msg_type_url: getText },
    summary: ({ msg_type_url: type }) =>
      `Another account can no longer execute ${quoted(messageName(type))} on behalf of the granter.`,
    details: [
      addressMember('Granter', 'granter'),
      addressMember('Grantee', 'grantee'),
      codeMember('Message type', 'msg_type_url'),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.authz.v1beta1.MsgExec'],
    title: 'Authorized execution',
    required: { msgs: getFilledList },
    summary: ({ msgs }) =>
      `Executes ${countText(msgs)} on behalf of the accounts that authorized it.`,
    details: [addressMember('Grantee', 'grantee'), ({ msgs }, at) => nestedDetails(msgs, at)],
  }),
]
