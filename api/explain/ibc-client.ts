// Explains the recovery of an expired or frozen IBC client with the state of an active one.
import { cut } from './cut.ts'
import { codeDetail, collectDetails, textDetail } from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { getText } from './members.ts'
import { missingReason } from './observations.ts'

/** Longer than any client ID. */
const MAX_ID = 64
const STATUS = '/ibc.core.client.v1.Query/ClientStatus'

const statusText = (clientId: string, { findObservation }: ExplainContext): string => {
  const found = findObservation(STATUS, { client_id: clientId })
  return getText(found?.response, 'status') ?? `Not known: ${missingReason(found)}`
}

/** `MsgRecoverClient` and the legacy `ClientUpdateProposal`. */
export const explainRecoverClient: Explainer = (message, at) => {
  const subject = getText(message, 'subject_client_id')
  const substitute = getText(message, 'substitute_client_id')
  if (subject === undefined || substitute === undefined) return undefined
  const status = getText(at.findObservation(STATUS, { client_id: subject })?.response, 'status')
  const was = status === undefined ? '' : `, which was ${status.toLowerCase()} at submission,`
  return {
    title: 'IBC client recovery',
    summary: `Gives the IBC client ${cut(subject, MAX_ID)}${was} the state of the client ${cut(substitute, MAX_ID)}.`,
    details: collectDetails(
      codeDetail('Client to recover', subject),
      textDetail('Status of this client at submission', statusText(subject, at)),
      codeDetail('Substitute client', substitute),
      textDetail('Status of the substitute at submission', statusText(substitute, at)),
    ),
  }
}
