// What a proposal does: each of its messages with its explanation, and with its data collapsed.
import { html, markupOf } from '../../../infra/base/html/html.ts'
import type { PageContext } from '../../document/context.ts'
import { code as codeInHtml } from '../../document/html/inline.ts'
import { renderBlocks } from '../../document/html/render.ts'
import { code, drawn, type Inline, link, quoted } from '../../document/line.ts'
import {
  type Block,
  type Facts,
  facts,
  folded,
  paragraph,
  picture,
  quotations,
  section,
  subsection,
} from '../../document/tree.ts'
import { detailValue } from '../../html/detail-value.ts'
import { messageData } from '../../html/message-data.ts'
import { NOTHING_EXECUTED } from '../../in-words.ts'
import type { DetailValue, Explanation, ExplanationDetail } from '../../schemas/explanation.ts'
import type { Proposal } from '../../schemas/proposal.ts'

const show = (value: DetailValue): Inline => drawn(detailValue(value), quoted(value.text, ''))

const showText = (text: string): Inline => show({ kind: 'text', text })

type Group = { label: string; values: DetailValue[] }

/** Consecutive details with the same label become one term with several values. */
const groupByLabel = (details: readonly ExplanationDetail[]): Group[] => {
  const groups: Group[] = []
  for (const { label, value } of details) {
    const last = groups.at(-1)
    if (last?.label === label) last.values.push(value)
    else groups.push({ label, values: [value] })
  }
  return groups
}

const toFacts = (groups: readonly Group[]): Facts =>
  groups.map(({ label, values }) => [showText(label), ...values.map(show)])

/** More of them are folded: readers compare them only if the summary is not enough. */
const MAX_OPEN_DETAILS = 8

const explain = ({ summary, details }: Explanation, id: string): readonly Block[] => {
  const groups = groupByLabel(details)
  const [open, others] = [groups.slice(0, MAX_OPEN_DETAILS), groups.slice(MAX_OPEN_DETAILS)]
  return [
    paragraph(showText(summary)),
    open.length > 0 && facts(...toFacts(open)),
    others.length > 0 &&
      folded(`${id}-more`, `${others.length} more values`, facts(...toFacts(others))),
  ]
}

type Message = Proposal['messages'][number]
type Numbered = { n: number; explanation: Explanation | undefined }

const writeMessage = (message: Message, { n, explanation }: Numbered, at: PageContext): Block => {
  const { '@type': type } = message
  const id = `message-${n}`
  const title = explanation?.title ?? type
  const number = drawn(html`<span class="soft">${n}</span>`, `Message ${n}:`)
  return subsection(
    { heading: [number, ' ', quoted(title)], look: 'message' },
    ...(explanation ? explain(explanation, id) : []),
    paragraph(drawn(codeInHtml(type), ['Type: ', code(type)]), 'small soft'),
    picture(messageData(message, { id, title }, at)),
  )
}

/** Limit of the HTML of all messages. */
const MAX_SHOWN_BYTES = 2 ** 19

/** The HTML of the first messages that fit. Other formats have all of them, because they leave out the data. */
const boundHtml = (messages: readonly Block[], at: PageContext) => {
  let left = MAX_SHOWN_BYTES
  return messages.map((message) => {
    const shown = left < 0 ? null : renderBlocks([message], at)
    left -= shown === null ? 0 : Buffer.byteLength(markupOf(shown))
    const isShown = left >= 0
    return { isShown, block: picture(isShown ? shown : null, message) }
  })
}

const EXPLAINED =
  'The chain does this by itself if the proposal passes. ' +
  'Rollcall explains it from the proposal and the state of the chain.'

const QUOTED = 'Names and other texts are the proposer’s, and are not verified.'

const AMOUNTS = 'Amounts are in the display unit of their denom, where the chain has one.'

const describeSource = (at: PageContext): Block =>
  picture(
    renderBlocks([paragraph(`${EXPLAINED} ${QUOTED}`, 'small soft')], at),
    paragraph(`${EXPLAINED} ${AMOUNTS}`),
    quotations('Names and other texts'),
  )

/** More of them are folded. */
const MAX_OPEN = 5

const linkToAll = (proposalId: string): Block => {
  const all = link(`/api/proposals/${proposalId}/messages`, 'all of it as JSON')
  return paragraph(['Not all of it is shown here. See ', all, '.'])
}

type Messages = Pick<Proposal, 'proposalId' | 'messages' | 'messagesTruncated' | 'explanations'>

const writeContent = (
  { proposalId, messages, messagesTruncated, explanations }: Messages,
  at: PageContext,
): readonly Block[] => {
  if (messages.length === 0 && !messagesTruncated) return [paragraph(NOTHING_EXECUTED)]
  const all = boundHtml(
    messages.map((message, n) =>
      writeMessage(message, { n: n + 1, explanation: explanations[n] }, at),
    ),
    at,
  )
  const shown = all.filter(({ isShown }) => isShown).map(({ block }) => block)
  const left = all.filter(({ isShown }) => !isShown).map(({ block }) => block)
  const others = shown.slice(MAX_OPEN)
  return [
    shown.length > 0 && describeSource(at),
    ...shown.slice(0, MAX_OPEN),
    others.length > 0 && folded('more-messages', `${others.length} more parts`, ...others),
    ...left,
    (messagesTruncated === true || left.length > 0) && linkToAll(proposalId),
  ]
}

export const writeMessages = (proposal: Messages, at: PageContext): Block =>
  section({ id: 'messages', title: 'What it does' }, ...writeContent(proposal, at))
