// Explains text proposals and the legacy content of the gov module.
import { isJsonObject } from '../../../ingest/contract/json.ts'
import { codeDetail } from '../details.ts'
import { defineExplainer, type Explainer } from '../explainer.ts'
import { sentence } from '../template.ts'

/** `MsgExecLegacyContent` has the explanation of its content. */
const explainLegacyContent: Explainer = ({ content }, at) => {
  if (!isJsonObject(content)) return undefined
  const { title, summary, type, details } = at.explainNested(content)
  return { title, summary, details: [...details, codeDetail('Legacy content', type)] }
}

export const GOV_EXPLAINERS = [
  defineExplainer({
    types: ['/cosmos.gov.v1beta1.TextProposal'],
    title: 'Text',
    summary: sentence`A text only. It changes nothing on the chain.`,
    details: [],
  }),
  { types: ['/cosmos.gov.v1.MsgExecLegacyContent'], explain: explainLegacyContent },
]
