// Explains text proposals and the legacy content of the gov module.
import { codeDetail, collectDetails } from './details.ts'
import type { Explainer } from './explainer.ts'
import { getMember, isObject } from './members.ts'

export const explainText: Explainer = () => ({
  title: 'Text',
  summary: 'A text only. It changes nothing on the chain.',
  details: [],
})

/** `MsgExecLegacyContent` has the explanation of its content. */
export const explainLegacyContent: Explainer = (message, at) => {
  const content = getMember(message, 'content')
  if (!isObject(content)) return undefined
  const { title, summary, type, details } = at.explainNested(content)
  return { title, summary, details: collectDetails(details, codeDetail('Legacy content', type)) }
}
