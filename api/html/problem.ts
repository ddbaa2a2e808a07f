// A problem for people: what happened, what would be right, and how to go on. The same facts as the problem document.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import { layout } from './layout.ts'
import { code, to } from './parts.ts'

type Problem = PageData['problem']

/** How to go on, by what went wrong. The rest is what the code itself says. */
const waysOn = ({ code: which, status }: Problem, at: PageAt): Html => {
  const link = (path: string, label: string) => html`<a href="${to(path, at)}">${label}</a>`
  const ways: Html[] = []
  if (status === 503) ways.push(html`Load this page again in a moment: this passes by itself.`)
  if (status === 429) ways.push(html`Wait a minute, then load this page again.`)
  if (which === 'cursor-expired') ways.push(html`Start again from the first page of the list.`)
  if (which === 'proposal-not-found')
    ways.push(
      html`See ${link('/proposals', 'all proposals')}, or search for a word of its title above.`,
    )
  if (which === 'pool-not-found') ways.push(html`See ${link('/pools', 'all pools')} of this chain.`)
  if (which === 'invalid-parameter')
    ways.push(
      html`Mend the address, or begin at ${link('/proposals', 'the proposals')}, ${link('/pools', 'the pools')} or ${link('/voters', 'the look-up of voters')}.`,
    )
  if (which === 'internal-error')
    ways.push(
      html`Try again. If it happens again, tell whoever runs this service the number of the request below.`,
    )
  ways.push(
    html`Go to ${link('/', 'the front page')}, or see ${link('/status', 'how the service is')}.`,
  )
  return html`<ul>${ways.map((way) => html`<li>${way}</li>`)}</ul>`
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['proposalId', 'The number of the proposal'],
  ['operatorAddress', 'The address of the pool'],
  ['address', 'The address of the voter'],
  ['q', 'The search'],
  ['page', 'The page'],
])

const errorsOf = ({ errors }: Problem): Html | null =>
  errors === undefined
    ? null
    : html`<h2>What would be right</h2>
<ul>${errors.map(({ parameter, detail }) => html`<li>${NAMES.get(parameter) ?? code(parameter)} ${detail}${detail.endsWith('…') ? '' : '.'}</li>`)}</ul>`

/** Said to a person; the rest can be said so to anybody. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['invalid-parameter', 'This address is not quite right'],
  ['route-not-found', 'There is no such page'],
])

export const problemHtml = (problem: Problem, at: PageAt): string => {
  const title = TITLES.get(problem.code) ?? problem.title
  return layout(
    {
      title,
      description: title,
      path: '',
      main: html`<h1>${title}</h1>
${problem.errors === undefined && html`<p>${problem.detail}</p>`}
${errorsOf(problem)}
<h2>How to go on</h2>
${waysOn(problem, at)}
<p class="soft">HTTP ${problem.status}, <a href="${to(`/problems/${problem.code}`, at)}">${problem.code}</a>. Number of the request: ${code(problem.requestId)}</p>`,
    },
    at,
  )
}
