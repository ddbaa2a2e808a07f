// Explains messages of x/authz: authorizations between accounts, and messages that use them.
import { isJsonObject } from '../../../ingest/contract/json.ts'
import { quoted } from '../details.ts'
import { defineExplainer, type ExplainContext, type Part, type ToDetails } from '../explainer.ts'
import { getText } from '../members.ts'
import { messageName } from '../names.ts'
import {
  address,
  addresses,
  amounts,
  code,
  count,
  either,
  expiry,
  inside,
  nestedMessages,
  sentence,
  shown,
} from '../template.ts'
import { valueDetails } from '../values.ts'

const SEND = '/cosmos.bank.v1beta1.SendAuthorization'

const authorization = <Result>(read: (value: unknown, at: ExplainContext) => Result) =>
  inside('grant', inside('authorization', read))

const authorizationType = authorization((value) => getText(value, '@type'))

/** The authorized message type; undefined if the authorization has none. */
const authorizedType = authorization((value) =>
  getText(value, '@type') === SEND ? '/cosmos.bank.v1beta1.MsgSend' : getText(value, 'msg'),
)

const typeName = (source: string | Part): Part => shown(source, (type) => quoted(messageName(type)))

const authorized = either(typeName(authorizedType), 'some messages')

const SEND_LIMITS = [amounts('Limit', 'spend_limit'), addresses('Allowed recipient', 'allow_list')]

/** The limits of an authorization of transfers, and all members of another one. */
const limits: ToDetails = (value, at) => {
  if (getText(value, '@type') === SEND) {
    return SEND_LIMITS.flatMap((toDetails) => toDetails(value, at) ?? [])
  }
  const members = Object.entries(isJsonObject(value) ? value : {})
  return members.flatMap(([member, each]) =>
    member === '@type' || member === 'msg' ? [] : valueDetails(member, each, at.findUnit),
  )
}

export const AUTHZ_EXPLAINERS = [
  defineExplainer({
    types: ['/cosmos.authz.v1beta1.MsgGrant'],
    title: 'Authorization',
    required: ['granter', 'grantee'],
    summary: sentence`Allows another account to execute ${authorized} on behalf of the granter.`,
    details: [
      address('Granter', 'granter'),
      address('Grantee', 'grantee'),
      code('Authorization', authorizationType),
      code('Message type', authorizedType),
      authorization(limits),
      inside('grant', expiry('expiration')),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.authz.v1beta1.MsgRevoke'],
    title: 'Revoked authorization',
    required: ['granter', 'grantee'],
    summary: sentence`Another account can no longer execute ${typeName('msg_type_url')} on behalf of the granter.`,
    details: [
      address('Granter', 'granter'),
      address('Grantee', 'grantee'),
      code('Message type', 'msg_type_url'),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.authz.v1beta1.MsgExec'],
    title: 'Authorized execution',
    summary: sentence`Executes ${count('msgs', 'message')} on behalf of the accounts that authorized it.`,
    details: [address('Grantee', 'grantee'), nestedMessages('msgs')],
  }),
]
