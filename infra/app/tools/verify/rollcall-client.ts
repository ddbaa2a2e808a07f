// The HTTP client of a Rollcall for one tally: its evidence, page by page, and its served numbers.
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Delegation } from '../../../../ingest/contract/delegation.ts'
import {
  GovParams,
  IntegerString,
  nullable,
  PoolState,
  TallyCounts,
  WeightedOption,
} from '../../../../ingest/contract/facts.ts'
import { TallyStrategy } from '../../../../ingest/contract/tally-rule.ts'
import { AppError } from '../../../base/runtime/errors.ts'
import { policies } from '../../../base/runtime/policies.ts'
import { retry, withDeadline } from '../../../base/runtime/retry.ts'

const REQUEST_TIMEOUT_MS = 30_000

const Next = Type.Object({ next: nullable(Type.String()) })

const EvidencePage = Type.Object({
  round: Type.Integer({ minimum: 0 }),
  strategy: Type.Optional(nullable(TallyStrategy)),
  complete: Type.Boolean(),
  incompleteReason: nullable(Type.String()),
  /** Only the first page has these members. */
  params: Type.Optional(nullable(GovParams)),
  bondedTokens: Type.Optional(nullable(IntegerString)),
  pools: Type.Optional(Type.Array(Type.Object({ pool: PoolState, counted: Type.Boolean() }))),
  items: Type.Array(
    Type.Object({
      voter: Type.String(),
      options: Type.Array(WeightedOption),
      delegations: Type.Array(Delegation),
    }),
  ),
  links: Next,
})
export type EvidencePage = Static<typeof EvidencePage>

const ServedProposal = Type.Object({
  proposalId: Type.String(),
  title: Type.String(),
  status: Type.String(),
  expedited: Type.Boolean(),
  round: nullable(Type.Integer({ minimum: 0 })),
  historyReason: Type.Optional(nullable(Type.String())),
  tally: nullable(
    Type.Object({
      yes: nullable(IntegerString),
      abstain: nullable(IntegerString),
      no: nullable(IntegerString),
      noWithVeto: nullable(IntegerString),
      final: Type.Boolean(),
      matchesChain: Type.String(),
    }),
  ),
})
export type ProposalResponse = Static<typeof ServedProposal>

const Event = Type.Object({
  type: Type.String(),
  height: Type.Integer(),
  index: Type.Integer(),
  data: Type.Unknown(),
})
const EventPage = Type.Object({
  items: Type.Array(Event),
  links: Next,
})
/** The data of an event that is shortened in a page. */
const Shortened = Type.Object({ truncated: Type.Literal(true) })
const RestartedRound = Type.Object({
  round: Type.Integer(),
  finalTally: nullable(TallyCounts),
})

const refused = (message: string, retryable = false): AppError =>
  new AppError('EVIDENCE_UNAVAILABLE', message, { retryable, expose: true })

/** The `detail` of problem details, if any. */
const readDetail = (body: string): string => {
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown }
    return typeof detail === 'string' ? `: ${detail}` : ''
  } catch {
    return ''
  }
}

const fetchOnce = async (url: URL, signal: AbortSignal): Promise<unknown> => {
  let response: Response
  let body: string
  try {
    response = await fetch(url, { signal, headers: { accept: 'application/json' } })
    body = await response.text()
  } catch (error) {
    if (signal.aborted) throw error
    const { cause, message } = error as Error
    const reason = cause instanceof Error ? cause.message || message : message
    throw refused(`${url.origin} did not answer: ${reason}`, true)
  }
  if (!response.ok) {
    const isBusy = response.status === 429 || response.status >= 500
    throw refused(`${url.href} answered ${response.status}${readDetail(body)}`, isBusy)
  }
  try {
    return JSON.parse(body)
  } catch {
    throw refused(`${url.href} answered something that is not JSON`)
  }
}

type Read<T> = (value: unknown, url: URL) => T

/** Accepts only a body that matches the schema. */
const createBodyReader = <S extends TSchema>(schema: S): Read<Static<S>> => {
  const check = Compile(schema)
  return (value, url) => {
    if (check.Check(value)) return value as Static<S>
    const [first] = check.Errors(value) as { instancePath: string; message: string }[]
    throw refused(`${url.href} is not as documented: ${first?.instancePath} ${first?.message}`)
  }
}

const readEvidence = createBodyReader(EvidencePage)
const readProposal = createBodyReader(ServedProposal)
const readEvents = createBodyReader(EventPage)
const readEvent = createBodyReader(Event)
const shortened = Compile(Shortened)
const restartedRound = Compile(RestartedRound)

const fetchAs = async <T>(url: URL, read: Read<T>, signal: AbortSignal): Promise<T> => {
  const value = await retry(
    () => withDeadline(REQUEST_TIMEOUT_MS, signal, (deadline) => fetchOnce(url, deadline)),
    { ...policies.servedEvidence, signal },
  )
  return read(value, url)
}

/** Follows `links.next` to the end. A page that names an earlier one as its next is refused. */
async function* readPages<T extends { links: { next: string | null } }>(
  first: URL,
  read: Read<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const seen = new Set<string>()
  let url = first
  for (;;) {
    if (seen.has(url.href)) throw refused(`${url.href} is its own successor`)
    seen.add(url.href)
    const page = await fetchAs(url, read, signal)
    yield page
    const { next } = page.links
    if (next === null) return
    url = new URL(next, url)
    if (url.origin !== first.origin) throw refused(`${first.origin} leads away to ${url.origin}`)
  }
}

/** The events with the tally of a round that was not the last one. */
const ENDS_OF_ROUND = ['rollcall.voting.restarted.v1', 'rollcall.vote.reconstructed.v1']

export type RollcallClient = {
  proposal(proposalId: string): Promise<ProposalResponse>
  evidence(proposalId: string, round: number): AsyncGenerator<EvidencePage>
  /** The tally of the chain for a round that was restarted; null if it is unknown. */
  restartedTally(proposalId: string, round: number): Promise<TallyCounts | null>
}

/** `url` is the base URL of the service. Calls reject with `EVIDENCE_UNAVAILABLE` and a description of the problem. */
export const createRollcallClient = (url: string, signal: AbortSignal): RollcallClient => {
  const at = (path: string) => new URL(`api/proposals/${path}`, url.endsWith('/') ? url : `${url}/`)
  const readData = async (proposalId: string, event: Static<typeof Event>): Promise<unknown> => {
    if (!shortened.Check(event.data)) return event.data
    const { height, index } = event
    return (await fetchAs(at(`${proposalId}/events/${height}/${index}`), readEvent, signal)).data
  }
  return {
    proposal: (proposalId) => fetchAs(at(proposalId), readProposal, signal),
    evidence: (proposalId, round) =>
      readPages(at(`${proposalId}/evidence?round=${round}`), readEvidence, signal),
    async restartedTally(proposalId, round) {
      for await (const page of readPages(at(`${proposalId}/events`), readEvents, signal)) {
        for (const event of page.items) {
          if (!ENDS_OF_ROUND.includes(event.type)) continue
          const restart = await readData(proposalId, event)
          if (!restartedRound.Check(restart)) continue
          if (Math.max(restart.round, 1) === round) return restart.finalTally
        }
      }
      return null
    },
  }
}
