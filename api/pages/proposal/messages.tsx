// What a proposal does: each of its messages with its explanation, and with its data collapsed.
import type { VNode } from 'preact'
import { renderMarkup } from '../../../infra/base/html/render.tsx'
import type { DetailValue, Explanation, ExplanationDetail } from '../../schemas/explanation.ts'
import type { Proposal } from '../../schemas/proposal.ts'
import { Details, Quotations, Section } from '../../view/blocks.tsx'
import { Detail, MessageData } from '../../view/message-data.tsx'
import { Code, Drawn, Link, OutsideHtml, Quoted, Soft } from '../../view/parts.tsx'
import type { PageContext } from '../../view/paths.ts'
import { NOTHING_EXECUTED } from '../../words/status.ts'

function DetailText({ of }: { of: string }) {
  return <Detail of={{ kind: 'text', text: of }} />
}

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

function Groups({ of }: { of: readonly Group[] }) {
  return (
    <dl class="facts">
      {of.map(({ label, values }) => (
        <>
          <dt>
            <DetailText of={label} />
          </dt>
          {values.map((value) => (
            <dd>
              <Detail of={value} />
            </dd>
          ))}
        </>
      ))}
    </dl>
  )
}

/** More of them are folded: readers compare them only if the summary is not enough. */
const MAX_OPEN_DETAILS = 8

function Explained({ of: { summary, details }, id }: { of: Explanation; id: string }) {
  const groups = groupByLabel(details)
  const [open, others] = [groups.slice(0, MAX_OPEN_DETAILS), groups.slice(MAX_OPEN_DETAILS)]
  return (
    <>
      <p>
        <DetailText of={summary} />
      </p>
      {open.length > 0 && <Groups of={open} />}
      {others.length > 0 && (
        <Details id={`${id}-more`} summary={`${others.length} more values`}>
          <Groups of={others} />
        </Details>
      )}
    </>
  )
}

type MessageProps = {
  message: Proposal['messages'][number]
  n: number
  explanation: Explanation | undefined
}

function Message({ message, n, explanation }: MessageProps) {
  const { '@type': type } = message
  const id = `message-${n}`
  const title = explanation?.title ?? type
  return (
    <>
      <h3>
        <Drawn text={`Message ${n}:`}>
          <Soft>{n}</Soft>
        </Drawn>{' '}
        <Quoted text={title} />
      </h3>
      {explanation && <Explained of={explanation} id={id} />}
      <p class="small soft">
        <OutsideHtml>Type: </OutsideHtml>
        <Code>{type}</Code>
      </p>
      <Drawn text={null}>
        <MessageData message={message} id={id} title={title} />
      </Drawn>
    </>
  )
}

/** Limit of the HTML of all messages. */
const MAX_SHOWN_BYTES = 2 ** 19
const FRAME_BYTES = '<section class="message"></section>'.length

/** The HTML of the first messages that fit; null for the others. */
const boundMarkup = (messages: readonly MessageProps[], at: PageContext): (string | null)[] => {
  let left = MAX_SHOWN_BYTES
  return messages.map((message) => {
    if (left < 0) return null
    const markup = renderMarkup(<Message {...message} />, at)
    left -= Buffer.byteLength(markup) + FRAME_BYTES
    return left < 0 ? null : markup
  })
}

function Source() {
  return (
    <>
      <p class="small soft">
        The chain does this by itself if the proposal passes. Rollcall explains it from the proposal
        and the state of the chain.{' '}
        <Drawn text="Amounts are in the display unit of their denom, where the chain has one.">
          Names and other texts are the proposer’s, and are not verified.
        </Drawn>
      </p>
      <Quotations of="Names and other texts" />
    </>
  )
}

function LinkToAll({ proposalId }: { proposalId: string }) {
  return (
    <p>
      Not all of it is shown here. See{' '}
      <Link to={`/api/proposals/${proposalId}/messages`}>all of it as JSON</Link>.
    </p>
  )
}

type Messages = Pick<Proposal, 'proposalId' | 'messages' | 'messagesTruncated' | 'explanations'>

const toProps = ({ messages, explanations }: Messages): MessageProps[] =>
  messages.map((message, n) => ({ message, n: n + 1, explanation: explanations[n] }))

const isEmpty = ({ messages, messagesTruncated }: Messages): boolean =>
  messages.length === 0 && !messagesTruncated

/** More of them are folded. */
const MAX_OPEN = 5

function Parts({ of }: { of: readonly VNode[] }) {
  const others = of.slice(MAX_OPEN)
  return (
    <>
      {of.slice(0, MAX_OPEN)}
      {others.length > 0 && (
        <Details id="more-messages" summary={`${others.length} more parts`}>
          {others}
        </Details>
      )}
    </>
  )
}

type ListProps = { of: Messages }
type ShownProps = ListProps & { parts: readonly VNode[]; isCut: boolean | undefined }

function Shown({ of, parts, isCut }: ShownProps) {
  return (
    <Section id="messages" title="What it does">
      {isEmpty(of) && <p>{NOTHING_EXECUTED}</p>}
      {parts.length > 0 && <Source />}
      <Parts of={parts} />
      {isCut && <LinkToAll proposalId={of.proposalId} />}
    </Section>
  )
}

export function MessageList({ of }: ListProps, at: PageContext) {
  const all = boundMarkup(toProps(of), at)
  const shown = all
    .filter((markup) => markup !== null)
    .map((__html) => <section class="message" dangerouslySetInnerHTML={{ __html }} />)
  const isCut = of.messagesTruncated || shown.length < all.length
  return <Shown of={of} parts={shown} isCut={isCut} />
}
/** All of them: without their data, they are short. */
MessageList.text = ({ of }: ListProps) => {
  const parts = toProps(of).map((message) => <Message {...message} />)
  return <Shown of={of} parts={parts} isCut={of.messagesTruncated} />
}
