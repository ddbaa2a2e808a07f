// The page of a problem: what happened, each error, and the next steps. `/problems/{code}`: what a code means.
import type { ComponentChildren } from 'preact'
import { PROBLEMS, type ProblemCode } from '../read/problems.ts'
import type { ParameterError, ProblemBody } from '../schemas/problem.ts'
import type { Document } from '../view/page.tsx'
import { Code, Drawn, Link, OutsideHtml } from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'
import { plainLine } from '../words/texts.ts'

const PROPOSALS = <Link to="/proposals">the proposals</Link>
const LOOK_UP = <Link to="/voters">the voter look-up</Link>
const ALL_POOLS = <Link to="/pools">all validators</Link>
const STATUS = <Link to="/status">the status of the service</Link>

/** Next steps, by problem code. */
const NEXT_STEPS: ReadonlyMap<string, ComponentChildren> = new Map<string, ComponentChildren>([
  ['cursor-expired', 'Start again from the first page of the list.'],
  [
    'proposal-not-found',
    <>
      See <Link to="/proposals">all proposals</Link>, or search for its title above.
    </>,
  ],
  ['pool-not-found', <>See {ALL_POOLS} of this chain.</>],
  [
    'foreign-address',
    <>
      Look up another address at {LOOK_UP}, or see {ALL_POOLS} of this chain.
    </>,
  ],
  [
    'route-not-found',
    <>
      Developers: see <Link to="/docs">the API reference</Link>.
    </>,
  ],
  [
    'invalid-parameter',
    <>
      Correct the address, or start at {PROPOSALS}, <Link to="/pools">the validators</Link> or{' '}
      {LOOK_UP}.
    </>,
  ],
  [
    'internal-error',
    'Try again. If it happens again, send the request ID below to the operator of this service.',
  ],
])

/** Next steps for temporary problems, by HTTP status. */
const TRY_LATER: ReadonlyMap<number, string> = new Map([
  [503, 'The problem is temporary. Load this page again in a moment.'],
  [429, 'Wait a minute, then load this page again.'],
])

function NextSteps({ of: problem, baseUrl }: { of: ProblemBody; baseUrl: string }) {
  const suggested = problem.links?.suggested?.slice(baseUrl.length)
  const steps = [
    suggested !== undefined && (
      <>
        Go to <Link to={suggested}>{suggested}</Link>.
      </>
    ),
    TRY_LATER.get(problem.status),
    NEXT_STEPS.get(problem.code),
    <>
      Go to <Link to="/">the home page</Link>, or see {STATUS}.
    </>,
  ]
  return <ul>{steps.map((step) => step && <li>{step}</li>)}</ul>
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['proposalId', 'The proposal ID'],
  ['operatorAddress', 'The validator address'],
  ['address', 'The voter address'],
  ['q', 'The search'],
  ['page', 'The page'],
  ['messageType', 'The message type'],
])

function ErrorItem({ parameter, detail }: ParameterError) {
  const name = NAMES.get(parameter)
  const shown = <Code>{parameter}</Code>
  return (
    <li>
      {name === undefined ? (
        shown
      ) : (
        <>
          {name}
          <OutsideHtml> ({shown})</OutsideHtml>
        </>
      )}{' '}
      {plainLine(detail)}
      {/[.…]$/.test(detail) ? '' : '.'}
    </li>
  )
}

/** With errors, the detail is their texts. */
function WhatHappened({ detail, errors }: ProblemBody) {
  if (errors === undefined) return <p>{plainLine(detail)}</p>
  return (
    <>
      <h2>Errors</h2>
      <ul>
        {errors.map((error) => (
          <ErrorItem {...error} />
        ))}
      </ul>
    </>
  )
}

/** Replacements for titles that are too technical. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['invalid-parameter', 'The address is not valid'],
  ['route-not-found', 'Page not found'],
])

function CodeOf({ status, code, requestId }: ProblemBody) {
  return (
    <p class="soft">
      HTTP {status}, <Link to={`/problems/${code}`}>{code}</Link>. Request ID:{' '}
      <Code>{requestId}</Code>
    </p>
  )
}

const STARTING =
  'Rollcall has just started. It reads the proposals, the votes on open ones and the validators. ' +
  'That takes seconds, or minutes if the chain limits its requests. ' +
  'A new chain without a block has nothing to read yet.'

/** No problem for a reader: the first page of a new service, which replaces itself. It has no input to lose. */
const writeStart = (problem: ProblemBody): Document => {
  const title = 'The first block is being read'
  return {
    title,
    description: title,
    path: '',
    head: <meta http-equiv="refresh" content="5" />,
    body: (
      <>
        <p role="status">{STARTING}</p>
        <p>
          <Drawn text="Ask again in some seconds.">
            This page reloads itself until the proposals are here.
          </Drawn>{' '}
          See also {STATUS}.
        </p>
        <OutsideHtml>
          <CodeOf {...problem} />
        </OutsideHtml>
      </>
    ),
  }
}

export function writeProblem(problem: ProblemBody, { baseUrl }: PageContext): Document {
  if (problem.code === 'nothing-projected') return writeStart(problem)
  const title = TITLES.get(problem.code) ?? problem.title
  return {
    title,
    description: title,
    path: '',
    body: (
      <>
        <WhatHappened {...problem} />
        <h2>Next steps</h2>
        <NextSteps of={problem} baseUrl={baseUrl} />
        <CodeOf {...problem} />
      </>
    ),
  }
}

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*)/

/** Own texts with `code` and **bold**, as the OpenAPI document has them. */
const readMarks = (text: string): ComponentChildren =>
  // `split` puts the marked pieces at odd positions.
  text.split(MARKED).map((piece, n) => {
    if (n % 2 === 0) return piece
    if (piece.startsWith('`')) return <code>{piece.slice(1, -1)}</code>
    return <strong>{readMarks(piece.slice(2, -2))}</strong>
  })

export function writeProblemCode(code: ProblemCode): Document {
  const { status, title, meaning } = PROBLEMS[code]
  return {
    title,
    description: title,
    path: `/problems/${code}`,
    body: (
      <>
        <p>{readMarks(meaning)}</p>
        <p class="soft">
          HTTP {status}, code {code}
        </p>
      </>
    ),
  }
}
