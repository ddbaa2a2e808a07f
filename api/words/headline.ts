// What Rollcall knows about a proposal, in one line for titles, previews and feeds. Texts of others come after it, in quotation
// marks, so that they never speak for the service. Pure.
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import type { Tally } from '../schemas/tally.ts'
import { utcTime } from './in-words.ts'
import { toSums } from './options.ts'
import { shareTexts, turnoutText } from './shares.ts'
import { outcomeName } from './status.ts'
import { plainLine, readEscapes } from './texts.ts'

/** Quotation marks of a text would end the quotation early. */
const INNER_QUOTES = /[\u201c-\u201f\u301d-\u301f\uff02]/gu

/** An untrusted text as a quotation of at most `length` characters on one line. Empty for an empty text. */
export const quotation = (text: string, length: number): string => {
  const letters = [...plainLine(text).replace(INNER_QUOTES, '"')]
  if (letters.length === 0) return ''
  const shown = letters.length <= length ? letters : [...letters.slice(0, length), '…']
  return `“${shown.join('')}”`
}

const LONGEST_TITLE = 120

/** `Proposal 4 · Rejected: vetoed · turnout 99.05 %`. It changes only with the status: readers keep titles for days. */
const proposalFacts = (proposal: ProposalSummary): string => {
  const { proposalId, tally } = proposal
  const turnout = tally?.final === true ? turnoutText(tally) : undefined
  const counted = turnout === undefined ? [] : [`turnout ${turnout}`]
  return [`Proposal ${proposalId}`, outcomeName(proposal), ...counted].join(' · ')
}

/** The facts, then the title of the proposer as a quotation. */
export const proposalHeadline = (proposal: ProposalSummary): string => {
  const title = quotation(proposal.title, LONGEST_TITLE)
  return [proposalFacts(proposal), ...(title === '' ? [] : [title])].join(' · ')
}

export const BY_PROPOSER = 'Written by the proposer, not verified'

const tallyWords = (tally: Tally): string => {
  const sums = toSums(tally)
  const [yes, no, veto, abstain] = sums
    ? shareTexts([sums.yes, sums.no, sums.noWithVeto, sums.abstain])
    : []
  const votes =
    yes === undefined ? '' : `; yes ${yes}, no ${no}, no with veto ${veto}, abstain ${abstain}`
  return `turnout ${turnoutText(tally) ?? 'not known'}${votes}`
}

const stateSentence = (proposal: ProposalSummary, asOf: AsOf): string => {
  const { status, tally, votingEndTime, depositEndTime } = proposal
  if (tally?.final) return `Final tally: ${tallyWords(tally)}.`
  if (status === 'voting_period' && votingEndTime !== null) {
    const soFar = tally ? ` Block ${asOf.height}: ${tallyWords(tally)}.` : ''
    return `The vote ends ${utcTime(votingEndTime)}.${soFar}`
  }
  if (status === 'deposit_period' && depositEndTime !== null)
    return `The deposit period ends ${utcTime(depositEndTime)}.`
  return `${outcomeName(proposal)}.`
}

const LONGEST_SUMMARY = 200

/** For search engines and link previews: the state and the tally, then the text of the proposer as a quotation. */
export const proposalDescription = (proposal: ProposalSummary, asOf: AsOf): string => {
  const summary = quotation(readEscapes(proposal.summary), LONGEST_SUMMARY)
  const quoted = summary === '' ? '' : ` ${BY_PROPOSER}: ${summary}`
  return `Governance of ${plainLine(asOf.chainId)}. ${stateSentence(proposal, asOf)}${quoted}`
}

const LONGEST_MONIKER = 80

/** A validator named itself, so its name is a quotation. */
export const validatorName = (moniker: string, operatorAddress: string): string =>
  `Validator ${quotation(moniker, LONGEST_MONIKER) || operatorAddress}`
