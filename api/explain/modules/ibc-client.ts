// Explains the recovery of an expired or frozen IBC client with the state of an active one.
import { cut } from '../details.ts'
import { defineExplainer, type Part } from '../explainer.ts'
import { code, sentence, shown } from '../template.ts'

/** Longer than any client ID. */
const MAX_ID = 64

const id = (member: string): Part => shown(member, (text) => cut(text, MAX_ID))

const subject = id('subject_client_id')
const substitute = id('substitute_client_id')

export const IBC_CLIENT_EXPLAINERS = [
  defineExplainer({
    types: ['/ibc.core.client.v1.MsgRecoverClient', '/ibc.core.client.v1.ClientUpdateProposal'],
    title: 'IBC client recovery',
    summary: sentence`Gives the IBC client ${subject} the state of the client ${substitute}.`,
    details: [
      code('Client to recover', 'subject_client_id'),
      code('Substitute client', 'substitute_client_id'),
    ],
  }),
]
