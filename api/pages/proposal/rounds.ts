// The voting rounds of a proposal, if there are several.
import { html } from '../../../infra/base/html/html.ts'
import type { PageContext } from '../../document/context.ts'
import { toHref } from '../../document/html/inline.ts'
import { link } from '../../document/line.ts'
import { proposalPath } from '../../document/paths.ts'
import { type Block, list, paragraph, picture } from '../../document/tree.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

const EXPLAINED =
  'The expedited vote did not pass and became a regular vote. ' +
  'Its votes were discarded, and a new round started.'

const describeRound = (round: number): string =>
  round === 1 ? 'Round 1: expedited' : `Round ${round}: regular`

export const writeRounds = ({ extras, proposalId }: ProposalPageData, at: PageContext): Block => {
  const { rounds, shownRound } = extras
  if (rounds.length < 2) return null
  const shown = rounds.map((round) => ({
    name: describeRound(round),
    path: `${proposalPath(proposalId)}?round=${round}`,
    isShown: round === shownRound,
  }))
  const items = shown.map(
    ({ name, path, isShown }) =>
      html`<li><a href="${toHref(path, at)}"${isShown && html` aria-current="page"`}>${name}</a></li>`,
  )
  return picture(
    html`<nav class="rounds" aria-label="Voting rounds">
<p>${EXPLAINED}</p><ul class="inline">${items}</ul></nav>`,
    paragraph(EXPLAINED),
    list(shown.map(({ name, path, isShown }) => [link(path, name), isShown && ', on this page'])),
  )
}
