// Explains the recovery of an expired or frozen IBC client with the state of an active one.
import { cut } from './cut.ts'
import { codeMember, textDetail } from './details.ts'
import { defineExplainer, type ExplainContext } from './explainer.ts'
import { getText } from './members.ts'
import { missingReason } from './observations.ts'

/** Longer than any client ID. */
const MAX_ID = 64
const STATUS = '/ibc.core.client.v1.Query/ClientStatus'

const findStatus = (clientId: string, { findObservation }: ExplainContext) => {
  const found = findObservation(STATUS, { client_id: clientId })
  return { status: getText(found?.response, 'status'), reason: missingReason(found) }
}

const statusText = (clientId: string, at: ExplainContext): string => {
  const { status, reason } = findStatus(clientId, at)
  return status ?? `Not known: ${reason}`
}

export const IBC_CLIENT_EXPLAINERS = [
  defineExplainer({
    types: ['/ibc.core.client.v1.MsgRecoverClient', '/ibc.core.client.v1.ClientUpdateProposal'],
    title: 'IBC client recovery',
    required: { subject_client_id: getText, substitute_client_id: getText },
    summary: ({ subject_client_id: subject, substitute_client_id: substitute }, at) => {
      const { status } = findStatus(subject, at)
      const was = status === undefined ? '' : `, which was ${status.toLowerCase()} at submission,`
      const client = `Gives the IBC client ${cut(subject, MAX_ID)}${was}`
      return `${client} the state of the client ${cut(substitute, MAX_ID)}.`
    },
    details: [
      codeMember('Client to recover', 'subject_client_id'),
      ({ subject_client_id: id }, at) =>
        textDetail('Status of this client at submission', statusText(id, at)),
      codeMember('Substitute client', 'substitute_client_id'),
      ({ substitute_client_id: id }, at) =>
        textDetail('Status of the substitute at submission', statusText(id, at)),
    ],
  }),
]
