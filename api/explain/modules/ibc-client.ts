// Explains the recovery of an expired or frozen IBC client with the state of an active one.
import { cut } from '../details.ts'
import { defineExplainer, type ExplainContext, type Part } from '../explainer.ts'
import { getText } from '../members.ts'
import { notKnown } from '../observations.ts'
import { code, optional, sentence, shown, text } from '../template.ts'

/** Longer than any client ID. */
const MAX_ID = 64
const STATUS = '/ibc.core.client.v1.Query/ClientStatus'

const id = (member: string): Part => shown(member, (text) => cut(text, MAX_ID))

const findStatus =
  (member: string) =>
  (message: unknown, { findObservation }: ExplainContext) =>
    findObservation(STATUS, { client_id: getText(message, member) })

const status =
  (member: string): Part =>
  (message, at) =>
    getText(findStatus(member)(message, at)?.response, 'status')

const statusOrReason =
  (member: string): Part =>
  (message, at) =>
    status(member)(message, at) ?? notKnown(findStatus(member)(message, at))

const subject = id('subject_client_id')
const substitute = id('substitute_client_id')
const formerStatus = shown(status('subject_client_id'), (text) => text.toLowerCase())
const formerly = optional`, which was ${formerStatus} at submission,`

export const IBC_CLIENT_EXPLAINERS = [
  defineExplainer({
    types: ['/ibc.core.client.v1.MsgRecoverClient', '/ibc.core.client.v1.ClientUpdateProposal'],
    title: 'IBC client recovery',
    summary: sentence`Gives the IBC client ${subject}${formerly} the state of the client ${substitute}.`,
    details: [
      code('Client to recover', 'subject_client_id'),
      text('Status of this client at submission', statusOrReason('subject_client_id')),
      code('Substitute client', 'substitute_client_id'),
      text('Status of the substitute at submission', statusOrReason('substitute_client_id')),
    ],
  }),
]
