// Whether the count of Rollcall equals that of the chain, as a badge that links to the evidence.
import { html } from '../../../infra/base/html/html.ts'
import { hiddenSign } from '../../document/html/inline.ts'
import { drawn, type Inline } from '../../document/line.ts'
import type { Tally } from '../../schemas/tally.ts'

const BADGES: Readonly<
  Record<Tally['matchesChain'], readonly [sign: string, text: string, tagClass: string]>
> = {
  yes: ['✓', 'Matches the chain', 'good'],
  no: ['✕', 'Differs from the chain', ''],
  unknown: ['?', 'Not compared with the chain', 'quiet'],
}

export const matchBadge = (matchesChain: Tally['matchesChain']): Inline => {
  const [sign, text, tagClass] = BADGES[matchesChain]
  return drawn(
    html`<a class="tag ${tagClass}" href="#evidence">${hiddenSign(sign)}${text}</a>`,
    text,
  )
}
