// The HTML page of a problem document: what happened, each error, and the next steps.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { code, link } from '../document/html/inline.ts'
import type { PageData } from '../resources/page-data.ts'
import { layout } from './layout.ts'

type Problem = PageData['problem']

/** Next steps, by problem code. */
const NEXT_STEPS = new Map<string, (at: PageContext) => Html>([
  ['cursor-expired', () => html`Start again from the first page of the list.`],
  [
    'proposal-not-found',
    (at) =>
      html`See ${link('/proposals', 'all proposals', at)}, \
or search for its title above.`,
  ],
  ['pool-not-found', (at) => html`See ${link('/pools', 'all validators', at)} of this chain.`],
  [
    'foreign-address',
    (at) =>
      html`Look up another address at ${link('/voters', 'the voter look-up', at)}, \
or see ${link('/pools', 'all validators', at)} of this chain.`,
  ],
  ['route-not-found', (at) => html`Developers: see ${link('/docs', 'the API reference', at)}.`],
  [
    'invalid-parameter',
    (at) =>
      html`Correct the address, or start at ${link('/proposals', 'the proposals', at)}, \
${link('/pools', 'the validators', at)} or ${link('/voters', 'the voter look-up', at)}.`,
  ],
  [
    'internal-error',
    () =>
      html`Try again. If it happens again, \
send the request ID below to the operator of this service.`,
  ],
])

/** Next steps for temporary problems, by HTTP status. */
const TRY_LATER: ReadonlyMap<number, Html> = new Map([
  [503, html`The problem is temporary. Load this page again in a moment.`],
  [429, html`Wait a minute, then load this page again.`],
])

const otherPages = (at: PageContext): Html =>
  html`Go to ${link('/', 'the home page', at)}, \
or see ${link('/status', 'the status of the service', at)}.`

const suggestedPage = ({ links }: Problem, at: PageContext): Html | undefined => {
  if (links?.suggested === undefined) return undefined
  const path = links.suggested.slice(at.baseUrl.length)
  return html`Go to ${link(path, path, at)}.`
}

const nextSteps = (problem: Problem, at: PageContext): Html => {
  const { status, code: problemCode } = problem
  const steps = [
    suggestedPage(problem, at),
    TRY_LATER.get(status),
    NEXT_STEPS.get(problemCode)?.(at),
    otherPages(at),
  ]
  return html`<ul>${steps.map((step) => step && html`<li>${step}</li>`)}</ul>`
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['proposalId', 'The proposal ID'],
  ['operatorAddress', 'The validator address'],
  ['address', 'The voter address'],
  ['q', 'The search'],
  ['page', 'The page'],
  ['messageType', 'The message type'],
])

const errorItem = ({ parameter, detail }: NonNullable<Problem['errors']>[number]): Html => {
  const name = NAMES.get(parameter) ?? code(parameter)
  return html`<li>${name} ${detail}${/[.…]$/.test(detail) ? '' : '.'}</li>`
}

const errorList = ({ errors }: Problem): Html | null =>
  errors === undefined
    ? null
    : html`<h2>Errors</h2>
<ul>${errors.map(errorItem)}</ul>`

/** Replacements for titles that are too technical. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['invalid-parameter', 'The address is not valid'],
  ['route-not-found', 'Page not found'],
])

/** It has no input that a reload could lose. */
const RELOAD = html`<meta http-equiv="refresh" content="5">`

/** No problem for a reader: the first page of a new service, which replaces itself. */
const startHtml = (at: PageContext): string => {
  const title = 'The first block is being read'
  return layout(
    {
      title,
      description: title,
      path: '',
      head: RELOAD,
      main: html`<h1>${title}</h1>
<p role="status">Rollcall has just started. It reads the proposals, the votes on open ones and the validators. \
That takes seconds, or minutes if the chain limits its requests.</p>
<p>This page reloads itself until the proposals are here. \
See also ${link('/status', 'the status of the service', at)}.</p>`,
    },
    at,
  )
}

export const problemHtml = (problem: Problem, at: PageContext): string => {
  if (problem.code === 'nothing-projected') return startHtml(at)
  const title = TITLES.get(problem.code) ?? problem.title
  const explanation = link(`/problems/${problem.code}`, problem.code, at)
  return layout(
    {
      title,
      description: title,
      path: '',
      main: html`<h1>${title}</h1>
${problem.errors === undefined && html`<p>${problem.detail}</p>`}
${errorList(problem)}
<h2>Next steps</h2>
${nextSteps(problem, at)}
<p class="soft">HTTP ${problem.status}, ${explanation}. \
Request ID: ${code(problem.requestId)}</p>`,
    },
    at,
  )
}
