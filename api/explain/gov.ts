// Explains proposals that are a text, and contents of the gov module before its messages.
import { codeDetail, collectDetails } from './details.ts'
import type { Explainer } from './explainer.ts'
import { getMember, isObject } from './members.ts'

export const explainText: Explainer = () => ({
  title: 'Text',
  summary: 'A text. It changes nothing on the chain by itself.',
  details: [],
})

/** `MsgExecLegacyContent`: it does what its content does. */
export const explainLegacyContent: Explainer = (message, at) => {
  const content = getMember(message, 'content')
  if (!isObject(content)) return undefined
  const { title, summary, type, details } = at.explainNested(content)
  return { title, summary, details: collectDetails(details, codeDetail('Legacy content', type)) }
}
