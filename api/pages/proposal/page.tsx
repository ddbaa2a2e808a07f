// `/proposals/{proposalId}`: one proposal: its state, its vote, what it does, and how to check the count.
import { type ProposalPageData, proposalPageRequest } from '../../resources/proposal-page.ts'
import { PROOF_SCRIPT, TABLE_SCRIPT } from '../../view/assets.ts'
import { BarPatterns } from '../../view/bar.tsx'
import { Section } from '../../view/blocks.tsx'
import type { Document } from '../../view/page.tsx'
import { Link, OutsideHtml, Quoted, toHref } from '../../view/parts.tsx'
import type { PageContext } from '../../view/paths.ts'
import { proposalPath } from '../../view/paths.ts'
import { hasPower, PowerMap } from '../../view/power-map.tsx'
import { proposalData } from '../../view/structured-data.ts'
import { proposalDescription, proposalHeadline } from '../../words/headline.ts'
import { pluralize } from '../../words/in-words.ts'
import { isOpen } from '../../words/status.ts'
import type { Page } from '../page.ts'
import { canBeProved, Evidence, Proof } from './checks.tsx'
import { DepositPeriod, Deposits } from './deposits.tsx'
import { Description, ProposalFacts } from './details.tsx'
import { Head } from './head.tsx'
import { MessageList } from './messages.tsx'
import { TallySection } from './tally.tsx'
import { Turnout } from './turnout.tsx'
import { NonVoting, Votes } from './votes.tsx'

type Of = { of: ProposalPageData }

const EXPLAINED =
  'The expedited vote did not pass and became a regular vote. ' +
  'Its votes were discarded, and a new round started.'

/** The voting rounds, if there are several. */
function Rounds({ of: { extras, proposalId } }: Of, at: PageContext) {
  const { rounds, shownRound } = extras
  if (rounds.length < 2) return null
  return (
    <nav class="rounds" aria-label="Voting rounds">
      <p>{EXPLAINED}</p>
      <ul class="inline">
        {rounds.map((round) => (
          <li>
            <a
              href={toHref(`${proposalPath(proposalId)}?round=${round}`, at)}
              aria-current={round === shownRound ? 'page' : undefined}
            >
              {round === 1 ? 'Round 1: expedited' : `Round ${round}: regular`}
            </a>
            {round === shownRound && <OutsideHtml>, on this page</OutsideHtml>}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The voting power of each validator, by its vote. */
function Power({ of: { extras } }: Of) {
  if (!hasPower(extras.powerMap)) return null
  const { unknown } = extras.powerMap
  return (
    <Section id="power-map" title="Voting power by validator" isLive>
      <PowerMap data={extras.powerMap} />
      {unknown > 0 && (
        <p class="small soft">
          Not shown: {pluralize(unknown, 'validator')} with unknown voting power.
        </p>
      )}
      <p class="small">
        The same data as tables: <a href="#votes">votes by validator</a>,{' '}
        <a href="#non-voting">non-voting validators</a>.
      </p>
    </Section>
  )
}

const SECTIONS = [
  Head,
  Rounds,
  DepositPeriod,
  TallySection,
  Power,
  Description,
  MessageList,
  Turnout,
  Votes,
  NonVoting,
  Evidence,
  Proof,
  Deposits,
  ProposalFacts,
]

const write = (proposal: ProposalPageData, at: PageContext): Document => {
  const { proposalId, title, asOf, round, extras } = proposal
  const json = `/api/proposals/${proposalId}`
  const isOther = round !== null && extras.shownRound !== round
  return {
    title: proposalHeadline(proposal),
    description: proposalDescription(proposal, asOf),
    path: `${proposalPath(proposalId)}${isOther ? `?round=${extras.shownRound}` : ''}`,
    json,
    data: proposalData(proposal, at),
    asOf,
    scripts: canBeProved(proposal) ? [TABLE_SCRIPT, PROOF_SCRIPT] : [TABLE_SCRIPT],
    stream: isOpen(proposal) ? `/api/stream?proposalId=${proposalId}` : undefined,
    top: <BarPatterns />,
    heading: (
      <>
        Proposal {proposalId}: <Quoted text={title} otherwise="(no title)" />
      </>
    ),
    body: (
      <article>
        {SECTIONS.map((Part) => (
          <Part of={proposal} />
        ))}
        <OutsideHtml>
          <p>
            <Link to={json}>This proposal as JSON</Link>
          </p>
        </OutsideHtml>
      </article>
    ),
  }
}

export const proposalPage: Page<ProposalPageData> = {
  name: 'proposal',
  path: proposalPageRequest.path,
  parseRequest: proposalPageRequest.parseRequest,
  write,
  isSettled: ({ tally }) => tally?.final === true,
}
