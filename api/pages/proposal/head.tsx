// The head of a proposal: its title, its state with the reason, and its timeline.
import type { ComponentChildren } from 'preact'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Tally } from '../../schemas/tally.ts'
import { Fact, Facts } from '../../view/blocks.tsx'
import { Quoted, Reason, Soft, Status, Time, Unknown } from '../../view/parts.tsx'
import { TimeLeft } from '../../view/time-left.tsx'
import { isOpen, statusName } from '../../words/status.ts'
import { explainHistory, explainOutcome, MatchBadge } from './state.tsx'

type Of = { of: ProposalPageData }

/** Marks a text that is not the proposal's own. */
export function TextSource({
  source,
  name,
}: {
  source: ProposalPageData['titleSource']
  name: 'title' | 'description'
}) {
  if (source !== 'metadata') return null
  return <p class="small soft">The {name} is from the metadata of the proposal.</p>
}

/** Whether the count was compared with that of the chain, with the reason if it was not. */
function Match({ of: tally }: { of: Tally | null }) {
  if (!tally?.final) return null
  const { matchesChain, matchesChainReason: reason } = tally
  return (
    <>
      <MatchBadge of={matchesChain} />
      {reason !== null && [
        ' ',
        <Soft>
          <Reason of={reason} />
        </Soft>,
      ]}
    </>
  )
}

type Step = {
  name: string
  time: string | null
  isOver: boolean
  height?: number | undefined
  /** True if it ends what happens now, so the time left is shown. */
  isEnd?: boolean
}

const isBefore = (time: string | null, now: string): boolean =>
  time !== null && Date.parse(time) <= Date.parse(now)

/** The steps in the life of a proposal: past ones, and those that are still to come. */
const toSteps = (proposal: ProposalPageData): Step[] => {
  const { status, submitTime, depositEndTime, votingStartTime, votingEndTime, asOf } = proposal
  const { closedTime, submittedAt } = proposal
  const isClosed = !isOpen(proposal)
  const step = (name: string, time: string | null, others?: Partial<Step>): Step => ({
    name,
    time,
    isOver: isBefore(time, asOf.time),
    ...others,
  })
  const steps = [
    step('Submitted', submitTime, { height: submittedAt?.height }),
    ...(votingStartTime === null
      ? [step('Deposit period ends', depositEndTime, { isEnd: status === 'deposit_period' })]
      : [
          step('Voting started', votingStartTime),
          step(isClosed ? 'Voting ended' : 'Voting ends', votingEndTime, {
            isEnd: status === 'voting_period',
          }),
        ]),
  ]
  if (!isClosed) return steps
  // A canceled proposal did not reach its planned end.
  const happened = steps.filter(({ isOver, time }) => isOver || time === null)
  return [...happened, { name: statusName(status), time: closedTime, isOver: true }]
}

function TimelineStep({ step, now }: { step: Step; now: string }) {
  const { name, time, isOver, height, isEnd = false } = step
  return (
    <li class={`step ${isOver ? 'over' : 'ahead'}`}>
      <strong>{name}</strong>
      {!isOver && time !== null && <span class="hidden">, upcoming</span>}
      <br />
      <Time of={time} />
      {height !== undefined && [<br />, <Soft>block {height}</Soft>]}
      {isEnd &&
        time !== null && [
          <br />,
          <Soft>
            ends <TimeLeft until={time} now={now} />
          </Soft>,
        ]}
    </li>
  )
}

/** The title of each message with its type, or the type alone if there is no explanation. */
function MessageNames({ of: { messageTypes, messageCount, explanations } }: Of) {
  const names = messageTypes.map((type): ComponentChildren => {
    const title = explanations.find((each) => each.type === type)?.title
    if (title === undefined) return <Quoted text={type} />
    return [<Quoted text={title} />, ' (', <Quoted text={type} />, ')']
  })
  const more = messageCount - messageTypes.length
  const all = more > 0 ? [...names, `and ${more} more`] : names
  return <>{all.length === 0 ? 'none' : all.map((name, n) => [n > 0 && ', ', name])}</>
}

/** A proposal that ends early does not reach the end of its vote, so no step has it. */
const isEarly = ({ closedTime, votingEndTime }: ProposalPageData): boolean =>
  closedTime !== null &&
  votingEndTime !== null &&
  Date.parse(closedTime) < Date.parse(votingEndTime)

export function Head({ of: proposal }: Of) {
  const { proposalId, title, titleSource, asOf, status, expedited, votingEndTime, tally } = proposal
  const reason = explainOutcome(proposal)
  return (
    <>
      <header class="proposal-head">
        <p class="soft">Proposal {proposalId}</p>
        <h1>
          <Quoted text={title} otherwise="(no title)" />
        </h1>
        <TextSource source={titleSource} name="title" />
        <div id="state" data-live="yes">
          <p class="proposal-state">
            <Status of={proposal} />
            {expedited && [' ', <span class="tag quiet">expedited</span>]} <Match of={tally} />
            {status === 'voting_period' && [
              ' ',
              <Soft>
                voting ends <TimeLeft until={votingEndTime} now={asOf.time} />
              </Soft>,
            ]}
          </p>
          {reason && <p class="reason">{reason}</p>}
        </div>
      </header>
      <div id="life" data-live="yes">
        <ol class="timeline">
          {toSteps(proposal).map((step) => (
            <TimelineStep step={step} now={asOf.time} />
          ))}
        </ol>
      </div>
    </>
  )
}
Head.text = ({ of: proposal }: Of) => {
  const { titleSource, expedited, round, tally, votingEndTime } = proposal
  const reason = explainOutcome(proposal)
  const history = explainHistory(proposal)
  return (
    <>
      <TextSource source={titleSource} name="title" />
      <Facts>
        <Fact name="Status">
          <strong>
            <Status of={proposal} />
          </strong>
          {expedited && ' (expedited)'}
          {round !== 0 && [', round ', round ?? <Unknown />]}
        </Fact>
        {tally?.final === true && (
          <Fact name="Count">
            <Match of={tally} />
          </Fact>
        )}
        {reason && <Fact name="Reason">{reason}</Fact>}
        {history && <Fact name="History">{history}</Fact>}
        <Fact name="What it does">
          <MessageNames of={proposal} />
        </Fact>
        {toSteps(proposal).map(({ name, time, height }) => (
          <Fact name={name}>
            <Time of={time} />
            {height !== undefined && `, block ${height}`}
          </Fact>
        ))}
        {isEarly(proposal) && (
          <Fact name="Planned end of voting">
            <Time of={votingEndTime} />
          </Fact>
        )}
      </Facts>
    </>
  )
}
