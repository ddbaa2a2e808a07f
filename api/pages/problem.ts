// The page of a problem: what happened, each error, and the next steps.
import { html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { code, drawn, type Inline, link } from '../document/line.ts'
import {
  type Block,
  type Document,
  heading,
  list,
  outsideHtml,
  paragraph,
  picture,
} from '../document/tree.ts'
import { plainLine } from '../plain-text.ts'
import type { ParameterError, ProblemBody } from '../schemas/problem.ts'

const PROPOSALS = link('/proposals', 'the proposals')
const LOOK_UP = link('/voters', 'the voter look-up')
const ALL_POOLS = link('/pools', 'all validators')
const STATUS = link('/status', 'the status of the service')

/** Next steps, by problem code. */
const NEXT_STEPS: ReadonlyMap<string, Inline> = new Map<string, Inline>([
  ['cursor-expired', 'Start again from the first page of the list.'],
  [
    'proposal-not-found',
    ['See ', link('/proposals', 'all proposals'), ', or search for its title above.'],
  ],
  ['pool-not-found', ['See ', ALL_POOLS, ' of this chain.']],
  [
    'foreign-address',
    ['Look up another address at ', LOOK_UP, ', or see ', ALL_POOLS, ' of this chain.'],
  ],
  ['route-not-found', ['Developers: see ', link('/docs', 'the API reference'), '.']],
  [
    'invalid-parameter',
    [
      ['Correct the address, or start at ', PROPOSALS, ', '],
      [link('/pools', 'the validators'), ' or ', LOOK_UP, '.'],
    ],
  ],
  [
    'internal-error',
    'Try again. If it happens again, send the request ID below to the operator of this service.',
  ],
])

/** Next steps for temporary problems, by HTTP status. */
const TRY_LATER: ReadonlyMap<number, Inline> = new Map([
  [503, 'The problem is temporary. Load this page again in a moment.'],
  [429, 'Wait a minute, then load this page again.'],
])

const OTHER_PAGES = ['Go to ', link('/', 'the home page'), ', or see ', STATUS, '.']

const nextSteps = (problem: ProblemBody, { baseUrl }: PageContext): Block => {
  const suggested = problem.links?.suggested?.slice(baseUrl.length)
  const steps = [
    suggested !== undefined && ['Go to ', link(suggested, suggested), '.'],
    TRY_LATER.get(problem.status),
    NEXT_STEPS.get(problem.code),
    OTHER_PAGES,
  ]
  return list(steps.filter((step) => step !== undefined && step !== false))
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['proposalId', 'The proposal ID'],
  ['operatorAddress', 'The validator address'],
  ['address', 'The voter address'],
  ['q', 'The search'],
  ['page', 'The page'],
  ['messageType', 'The message type'],
])

const describeError = ({ parameter, detail }: ParameterError): Inline => {
  const name = NAMES.get(parameter)
  const end = /[.…]$/.test(detail) ? '' : '.'
  return [
    name === undefined ? code(parameter) : drawn(html`${name}`, [name, ' (', code(parameter), ')']),
    ` ${plainLine(detail)}${end}`,
  ]
}

/** With errors, the detail is their texts. */
const whatHappened = ({ detail, errors }: ProblemBody): readonly Block[] =>
  errors === undefined
    ? [paragraph(plainLine(detail))]
    : [heading('Errors'), list(errors.map(describeError))]

/** Replacements for titles that are too technical. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['invalid-parameter', 'The address is not valid'],
  ['route-not-found', 'Page not found'],
])

const describeCode = ({ status, code: name, requestId }: ProblemBody): readonly Inline[] => [
  ['HTTP ', status, ', ', link(`/problems/${name}`, name), '. '],
  ['Request ID: ', code(requestId)],
]

/** It has no input that a reload could lose. */
const RELOAD = html`<meta http-equiv="refresh" content="5">`

const STARTING =
  'Rollcall has just started. It reads the proposals, the votes on open ones and the validators. ' +
  'That takes seconds, or minutes if the chain limits its requests. ' +
  'A new chain without a block has nothing to read yet.'

/** No problem for a reader: the first page of a new service, which replaces itself. */
const writeStart = (problem: ProblemBody): Document => {
  const title = 'The first block is being read'
  const reloads = 'This page reloads itself until the proposals are here.'
  return {
    title,
    description: title,
    path: '',
    head: RELOAD,
    blocks: [
      picture(html`<p role="status">${STARTING}</p>`, paragraph(STARTING)),
      paragraph([drawn(html`${reloads}`, 'Ask again in some seconds.'), ' See also ', STATUS, '.']),
      outsideHtml(paragraph(describeCode(problem))),
    ],
  }
}

export const writeProblem = (problem: ProblemBody, at: PageContext): Document => {
  if (problem.code === 'nothing-projected') return writeStart(problem)
  const title = TITLES.get(problem.code) ?? problem.title
  return {
    title,
    description: title,
    path: '',
    blocks: [
      ...whatHappened(problem),
      heading('Next steps'),
      nextSteps(problem, at),
      paragraph(describeCode(problem), 'soft'),
    ],
  }
}
