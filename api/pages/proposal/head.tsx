// The head of a proposal: its title, its state with the reason, whether its count was compared with that of the chain, what of its
// history is missing, and its timeline.
import type { ComponentChildren } from 'preact'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { ProposalSummary } from '../../schemas/proposal.ts'
import type { Tally } from '../../schemas/tally.ts'
import { Facts } from '../../view/blocks.tsx'
import {
  Drawn,
  Quoted,
  Reason,
  Share,
  Sign,
  Soft,
  Status,
  Time,
  TimeLeft,
  Unknown,
} from '../../view/parts.tsx'
import type { PageContext } from '../../view/paths.ts'
import { convertInText } from '../../words/display-unit.ts'
import { quotation } from '../../words/headline.ts'
import { findVoted, toSums } from '../../words/options.ts'
import { shareText, turnoutText } from '../../words/shares.ts'
import { isOpen, statusName } from '../../words/status.ts'

const LONGEST_REASON = 400

/** The text of a failure can be from a contract, so it is a quotation. Amounts keep their narrow spaces. */
function Failure({ of }: { of: string }, at: Pick<PageContext, 'unit'>) {
  const quoted = quotation(of, LONGEST_REASON)
  const text = at.unit ? convertInText(quoted, at.unit) : quoted
  return (
    <>
      The vote passed, but its execution failed. The chain reports:{' '}
      <Drawn text={<Quoted text={text} />}>
        <bdi dir="auto">{text}</bdi>
      </Drawn>
    </>
  )
}

const RULES: Readonly<
  Record<NonNullable<ProposalSummary['outcomeReason']>, (tally: Tally) => ComponentChildren>
> = {
  quorum_not_reached: (tally) => (
    <>
      The turnout of {turnoutText(tally) ?? <Unknown />} did not reach the quorum of{' '}
      <Share of={tally.quorum} />.
    </>
  ),
  vetoed: (tally) => {
    const sums = toSums(tally)
    return (
      <>
        {sums ? shareText(sums.noWithVeto, findVoted(tally)) : <Unknown />} voted No with veto. A
        proposal is rejected above <Share of={tally.vetoThreshold} />.
      </>
    )
  },
  threshold_not_met: (tally) => {
    const sums = toSums(tally)
    const decided = sums ? findVoted(tally) - sums.abstain : 0n
    return (
      <>
        {sums && decided > 0n ? shareText(sums.yes, decided) : 'None'} voted Yes, without counting
        Abstain. More than <Share of={tally.threshold} /> was needed.
      </>
    )
  },
}

/** A sentence; null if there is nothing to explain. */
export function explainOutcome(proposal: ProposalSummary): ComponentChildren {
  const { outcomeReason, tally, status, failedReason } = proposal
  if (outcomeReason !== null && tally !== null) return RULES[outcomeReason](tally)
  return status === 'failed' && failedReason !== null ? <Failure of={failedReason} /> : null
}

const BADGES: Readonly<
  Record<Tally['matchesChain'], readonly [sign: string, text: string, tagClass: string]>
> = {
  yes: ['✓', 'Matches the chain', 'good'],
  no: ['✕', 'Differs from the chain', ''],
  unknown: ['?', 'Not compared with the chain', 'quiet'],
}

/** Whether the count of Rollcall equals that of the chain, with a link to the evidence. */
export function MatchBadge({ of }: { of: Tally['matchesChain'] }) {
  const [sign, text, tagClass] = BADGES[of]
  return (
    <a class={`tag ${tagClass}`} href="#evidence">
      <Sign of={sign} />
      {text}
    </a>
  )
}

type Known = Pick<ProposalPageData, 'history' | 'historyReason'>

/** A sentence: what is missing, or how a past vote is known and what is not. Null if the history is complete. */
export function explainHistory({ history, historyReason }: Known): ComponentChildren {
  if (history === 'complete') return null
  const reason = <Reason of={historyReason} />
  return history === 'partial' ? (
    <>Rollcall does not have the complete history of this proposal. Reason: {reason}.</>
  ) : (
    <>This vote ended before Rollcall followed the chain: {reason}.</>
  )
}

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
      <Facts
        of={[
          [
            'Status',
            <>
              <strong>
                <Status of={proposal} />
              </strong>
              {expedited && ' (expedited)'}
              {round !== 0 && [', round ', round ?? <Unknown />]}
            </>,
          ],
          tally?.final === true && ['Count', <Match of={tally} />],
          reason !== null && ['Reason', reason],
          history !== null && ['History', history],
          ...toSteps(proposal).map(
            ({ name, time, height }) =>
              [name, [<Time of={time} />, height !== undefined && `, block ${height}`]] as const,
          ),
          isEarly(proposal) && ['Planned end of voting', <Time of={votingEndTime} />],
        ]}
      />
    </>
  )
}
