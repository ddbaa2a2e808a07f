// What a line of a page is made of. A part is a component: it gives its HTML, and `text` what it says in Markdown if that
// differs. Every component gets the context of the page as its second argument. A text of others is never markup.
import type { ComponentChildren } from 'preact'
import { toRootPath } from '../../infra/base/html/page-frame.tsx'
import { parseDecimal } from '../../ingest/contract/decimal.ts'
import type { Coin } from '../../ingest/contract/facts.ts'
import { isWebLink } from '../../projections/contract/web-link.ts'
import type { VoteReason } from '../schemas/vote.ts'
import {
  convertToUnit,
  exactPercent,
  groupThousands,
  NOT_KNOWN,
  truncateTo,
} from '../words/display-unit.ts'
import { plainReason, pluralize, splitDuration, utcTime } from '../words/in-words.ts'
import { findOption } from '../words/options.ts'
import { SHOWN_PLACES, shareTexts } from '../words/shares.ts'
import { cut } from '../words/shortened.ts'
import { type Outcome, outcomeName } from '../words/status.ts'
import { plainLine } from '../words/texts.ts'
import type { PageContext } from './paths.ts'
import { encodePathSegment, poolPath, proposalPath } from './paths.ts'

type Content = { children?: ComponentChildren }

/** Drawn for HTML; other formats say `text` instead. Neither is made before it is needed. */
export function Drawn({ children }: Content & { text: ComponentChildren }) {
  return <>{children}</>
}
Drawn.text = ({ text }: { text: ComponentChildren }) => text

/** For readers of other formats than HTML. */
export function OutsideHtml(_: Content) {
  return null
}
OutsideHtml.text = ({ children }: Content) => children

export function Unknown() {
  return <span class="soft">{NOT_KNOWN}</span>
}

/** Less important than the text around it. */
export function Soft({ children }: Content) {
  return <span class="soft">{children}</span>
}

export function Small({ children }: Content) {
  return <span class="small soft">{children}</span>
}

/** The space separates words where the text alone is read. */
export function LineBreak() {
  return (
    <>
      <br />{' '}
    </>
  )
}
LineBreak.text = () => '; '

/** Hidden from screen readers: the text next to it has the same meaning. */
export function Sign({ of }: { of: string }) {
  return <span aria-hidden="true">{of} </span>
}

/** A text of others on one line. Its direction does not affect the text around it. */
export function Quoted({
  text,
  otherwise = <Unknown />,
}: {
  text: string | null | undefined
  otherwise?: ComponentChildren
}) {
  const line = plainLine(text ?? '')
  return line === '' ? otherwise : <bdi dir="auto">{line}</bdi>
}

/** A recorded reason: it can quote the chain. */
export function Reason({ of, otherwise }: { of: string | null; otherwise?: ComponentChildren }) {
  const text = plainReason(of ?? '')
  return otherwise === undefined ? <Quoted text={text} /> : <Quoted {...{ text, otherwise }} />
}

const MAX_WORDS = 512

/** After a vote: the words beside it, as a quotation. */
export function VoteWords({ reason }: { reason: VoteReason | null | undefined }) {
  const given = [reason?.metadata, reason?.memo].filter((text) => text)
  return (
    <>
      {given.map((text) => (
        <>
          <LineBreak />
          <Small>
            “<Quoted text={cut(text ?? '', MAX_WORDS)} />”
          </Small>
        </>
      ))}
    </>
  )
}

/** An address or a hash. It can break at the end of a line. */
export function Code({ children }: { children: string }) {
  return (
    <code class="code" dir="ltr">
      {plainLine(children)}
    </code>
  )
}

/** The `href` of a path of this service. `path` starts with a slash. */
export const toHref = (path: string, { baseUrl }: Pick<PageContext, 'baseUrl'>): string =>
  `${toRootPath(baseUrl)}${path}`

type LinkProps = Content & { to: string; class?: string }

/** To a page of this service. */
export function Link({ to, class: look, children }: LinkProps, at: PageContext) {
  return (
    <a class={look} href={toHref(to, at)}>
      {children}
    </a>
  )
}

/** The `rel` of links in texts of others. They are shown, and nothing is fetched. */
export const REL = 'nofollow noopener ugc'

export function ExternalLink({ to, children }: Content & { to: string }) {
  return (
    <a rel={REL} href={to}>
      {children}
    </a>
  )
}

const URLS = /((?:https?|ipfs):\/\/[^\s"'<>\\`]+)/i
/** Marks at the end of a URL belong to the text. */
const END_MARKS = /[.,;:!?)\]}]+$/
/** The end of a text that was cut: its last URL is not whole. */
const CUT = '…'

const linkUrl = (part: string): ComponentChildren => {
  const [url = ''] = part.split(END_MARKS)
  if (part.endsWith(CUT) || !isWebLink(url)) return part
  return [<ExternalLink to={url}>{url}</ExternalLink>, part.slice(url.length)]
}

/** A text of others on one line, with links. */
export function LinkedText({ text }: { text: string }) {
  const parts = plainLine(text).split(URLS)
  return <bdi dir="auto">{parts.map((part, n) => (n % 2 === 1 ? linkUrl(part) : part))}</bdi>
}
LinkedText.text = ({ text }: { text: string }) => plainLine(text) || NOT_KNOWN

/** In UTC, to the second. The attribute has the exact time, and a script shows the time zone of the reader. */
export function Time({ of }: { of: string | null }) {
  if (of === null) return <Unknown />
  return (
    <time datetime={of} title={of}>
      {utcTime(of)}
    </time>
  )
}

type TransactionProps = { txHash: string; height: number | null }

/** The label alone if no explorer is configured, or if its URL needs a height that is not known. */
function ExplorerLink(
  { txHash, height, children }: TransactionProps & Content,
  at: PageContext,
): preact.JSX.Element {
  const template = at.explorerTxUrl
  if (template === undefined || (height === null && template.includes('{height}')))
    return <>{children}</>
  const url = template
    .replaceAll('{txHash}', encodePathSegment(txHash))
    .replaceAll('{height}', `${height}`)
  return (
    <a href={url} rel="external noopener noreferrer">
      {children}
    </a>
  )
}

export function Transaction({ txHash, height }: TransactionProps) {
  return (
    <ExplorerLink txHash={txHash} height={height}>
      <Code>{txHash}</Code>
    </ExplorerLink>
  )
}

const SHOWN_DIGITS = 8

/** The block of a fact, and its transaction with a link to an explorer if one is configured. */
function BlockOf({ txHash, height }: { txHash: string | null; height: number | null }) {
  const block = height === null ? <Unknown /> : `block ${height}`
  if (txHash === null) return <span class="small">{block}</span>
  return (
    <span class="small">
      {block}
      <span class="transaction">
        ,{' '}
        <ExplorerLink txHash={txHash} height={height}>
          <code class="code" title={txHash}>
            {plainLine(txHash).slice(0, SHOWN_DIGITS)}…
          </code>
        </ExplorerLink>
      </span>
    </span>
  )
}

type OccurrenceProps = {
  fact: { time: string | null; height: number | null; txHash: string | null }
}

/** When something happened: its time, its block and its transaction. */
export function Occurrence({ fact }: OccurrenceProps) {
  return (
    <>
      <Time of={fact.time} />
      <br />
      <BlockOf txHash={fact.txHash} height={fact.height} />
    </>
  )
}
Occurrence.text = ({ fact: { time, height, txHash } }: OccurrenceProps) => {
  const transaction = txHash === null ? '' : `, transaction ${plainLine(txHash)}`
  return `${plainLine(time ?? NOT_KNOWN)}, block ${height ?? NOT_KNOWN}${transaction}`
}

type UnitContext = Pick<PageContext, 'unit'>

/** Base units in the display unit of the chain, truncated to two places. */
export const amountText = (base: string, { unit }: UnitContext): string => {
  const shown = unit ? truncateTo(convertToUnit(base, unit) ?? '', SHOWN_PLACES) : base
  return `${groupThousands(shown) ?? base}${unit ? `\u00a0${unit.name}` : ''}`
}

const exactAmountText = (base: string | null, { unit }: UnitContext): string => {
  if (base === null) return NOT_KNOWN
  const shown = unit && convertToUnit(base, unit)
  return unit && shown !== undefined ? `${shown} ${plainLine(unit.name)}` : plainLine(base)
}

type AmountProps = { base: string | null }

/** In the display unit of the chain, truncated to two places. The title has the exact amount in base units. */
export function Amount({ base }: AmountProps, at: UnitContext) {
  if (base === null) return <Unknown />
  const exact = groupThousands(base)
  if (exact === undefined) return <Quoted text={base} />
  const unit = at.unit
  if (!unit) return <span class="amount">{groupThousands(truncateTo(base, 0))}</span>
  return (
    <data class="amount" value={base} title={`exactly ${exact} ${unit.denom}`}>
      {groupThousands(truncateTo(convertToUnit(base, unit) ?? '', SHOWN_PLACES))}
      {`\u00a0${unit.name}`}
    </data>
  )
}
Amount.text = ({ base }: AmountProps, at: UnitContext) => exactAmountText(base, at)

/**
 * In base units, where a table shows them as text: touch screens do not show the title of an amount.
 * A screen that is too narrow for it may break it between two groups of digits.
 */
export function BaseAmount({ base }: AmountProps) {
  const grouped = base === null ? undefined : groupThousands(truncateTo(base, 0))
  if (grouped === undefined) return <Quoted text={base} />
  const [first, ...groups] = grouped.split(/(?<=\u202f)/)
  return (
    <span class="amount">
      {first}
      {groups.map((group) => [<wbr />, group])}
    </span>
  )
}
BaseAmount.text = ({ base }: AmountProps) => (base === null ? NOT_KNOWN : truncateTo(base, 0))

/** An amount of any denom. It is in the display unit if the unit belongs to its denom. */
export function CoinAmount({ coin: { denom, amount } }: { coin: Coin }, at: UnitContext) {
  if (at.unit?.denom === denom) return <Amount base={amount} />
  return (
    <span class="amount">
      {groupThousands(amount) ?? amount}
      {'\u00a0'}
      <Quoted text={denom} />
    </span>
  )
}

type CoinsProps = { of: readonly Coin[] }

export function Coins({ of }: CoinsProps) {
  return (
    <>
      {of.length === 0 ? 'none' : of.map((coin, n) => [n > 0 && ', ', <CoinAmount coin={coin} />])}
    </>
  )
}
Coins.text = ({ of }: CoinsProps, at: UnitContext) => {
  const texts = of.map(({ denom, amount }) =>
    at.unit?.denom === denom
      ? exactAmountText(amount, at)
      : `${plainLine(amount)} ${plainLine(denom)}`.trim(),
  )
  return texts.join(', ') || 'none'
}

type ShareProps = { of: string | null }

/** A share of 1, truncated to hundredths of a percent. The title has the exact value if it has more places. */
export function Share({ of }: ShareProps) {
  if (of === null) return <Unknown />
  const exact = exactPercent(of)
  const [digits = ''] = exact.split(' ')
  const shown = truncateTo(digits, SHOWN_PLACES)
  const text = `${shown}\u202f%`
  return digits === shown ? text : <span title={`exactly ${exact}`}>{text}</span>
}
Share.text = ({ of }: ShareProps) => exactPercent(of)

export type Choice = { option: string; weight: string }

/** `yes`, or each option with its exact weight for a split vote. */
export const choicesText = (options: readonly Choice[]): string => {
  const nameOption = ({ option }: Choice) => plainLine(option.replaceAll('_', ' '))
  const [only, ...others] = options
  return only && others.length === 0
    ? nameOption(only)
    : options.map((each) => `${nameOption(each)} ${exactPercent(each.weight)}`).join(', ')
}

const nameChoice = ({ option }: Choice): ComponentChildren =>
  findOption(option)?.label ?? <Quoted text={option} />

type ChoicesProps = { of: readonly Choice[] }

/** `Yes`, or each option with its weight for a split vote. The shown weights add up to 100 %. */
export function Choices({ of }: ChoicesProps) {
  const [only, ...others] = of
  if (only && others.length === 0) return <>{nameChoice(only)}</>
  const shares = shareTexts(of.map(({ weight }) => parseDecimal(weight)))
  // Lines break between these parts, not inside them.
  const parts = of.map((choice, n) => [
    <span class="part" title={`exactly ${exactPercent(choice.weight)}`}>
      {nameChoice(choice)} {shares[n]}
      {n < of.length - 1 && ','}
    </span>,
    ' ',
  ])
  return <>{parts}</>
}
Choices.text = ({ of }: ChoicesProps) => choicesText(of)

/** The sign and the class of the tag of a status. */
const STATE_SIGNS: ReadonlyMap<string, readonly [sign: string, tag: string]> = new Map([
  ['deposit_period', ['○', 'quiet']],
  ['voting_period', ['●', 'open']],
  ['passed', ['✓', 'good']],
  ['rejected', ['✕', '']],
  ['failed', ['!', '']],
  ['canceled', ['–', 'quiet']],
  ['dropped', ['–', 'quiet']],
  ['vetoed', ['–', 'quiet']],
])

type StatusProps = { of: Outcome | string }

const toOutcome = (of: Outcome | string): Outcome =>
  typeof of === 'string' ? { status: of, outcomeReason: null } : of

/** The status with its reason: a missed quorum differs from a rejection by votes. */
export function Status({ of }: StatusProps) {
  const outcome = toOutcome(of)
  const [sign = '', tagClass = 'quiet'] = STATE_SIGNS.get(outcome.status) ?? []
  return (
    <span class={`tag ${tagClass}`}>
      <Sign of={sign} />
      {outcomeName(outcome)}
    </span>
  )
}
Status.text = ({ of }: StatusProps) => plainLine(outcomeName(toOutcome(of)).toLowerCase())

type ProposalProps = { of: { proposalId: string; title: string; round?: number | null } }

/** A link to a proposal, with the round if it is not the first. */
export function ProposalLink({ of: { proposalId, title, round } }: ProposalProps) {
  return (
    <>
      <Link to={proposalPath(proposalId)}>
        <span class="entry-number">{proposalId}</span>{' '}
        <Quoted text={title} otherwise="(no title)" />
      </Link>
      {(round ?? 1) > 1 && [' ', <Soft>round {round}</Soft>]}
    </>
  )
}
ProposalLink.text = ({ of: { proposalId, title, round } }: ProposalProps) => [
  <Link to={proposalPath(proposalId)}>{proposalId}</Link>,
  ` ${plainLine(title) || '(no title)'}`,
  (round ?? 1) > 1 && ` (round ${round})`,
]

type PoolProps = { of: { operatorAddress: string; moniker: string } }

export function PoolLink({ of: { operatorAddress, moniker } }: PoolProps) {
  return (
    <Link to={poolPath(operatorAddress)}>
      <Quoted text={moniker} otherwise={operatorAddress} />
    </Link>
  )
}
PoolLink.text = ({ of: { operatorAddress, moniker } }: PoolProps) => {
  const [name, address] = [plainLine(moniker), plainLine(operatorAddress)]
  return [
    <Link to={poolPath(operatorAddress)}>{name || address}</Link>,
    name !== '' && ` ${address}`,
  ]
}

/** The two largest units: `2 days 3 hours`. */
const spanInWords = (seconds: number): string => {
  const units = splitDuration(seconds)
  const first = units.findIndex(({ count }) => count > 0)
  if (first < 0) return pluralize(0, 'second')
  const shown = units.slice(first, first + 2).filter(({ count }) => count > 0)
  return shown.map(({ unit, count }) => pluralize(count, unit)).join(' ')
}

/** The attribute has the end time, from which a script counts down. */
export function TimeLeft({ until, now }: { until: string | null; now: string }, at: PageContext) {
  if (until === null) return <Unknown />
  if (at.noBlockSince !== undefined)
    return (
      <>
        with the first block after <Time of={until} /> (no new block since{' '}
        <Time of={at.noBlockSince} />)
      </>
    )
  const seconds = (Date.parse(until) - Date.parse(now)) / 1_000
  return (
    <time class="left" datetime={until} title={until}>
      {seconds > 0 ? `in ${spanInWords(seconds)}` : 'with the next block'}
    </time>
  )
}
