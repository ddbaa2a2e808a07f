// Data of the HTML pages, filled from the schemas of the API: each field that accepts untrusted text has the text of the test.
import type { Static, TSchema } from 'typebox'
import type { ballotsPage } from '../../../api/pages/ballots.tsx'
import type { ProposalPageData } from '../../../api/resources/proposal-page.ts'
import type { HomeData } from '../../../api/resources/proposals.ts'
import type { Found } from '../../../api/resources/search.ts'
import { BallotTablePage } from '../../../api/schemas/ballot.ts'
import { DepositPage } from '../../../api/schemas/deposit.ts'
import { Pool } from '../../../api/schemas/pool.ts'
import { ProposalDetail, ProposalPage } from '../../../api/schemas/proposal.ts'
import type { Tally } from '../../../api/schemas/tally.ts'

type Schema = {
  title?: string
  type?: string
  anyOf?: readonly Schema[]
  enum?: readonly string[]
  const?: unknown
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean
  pattern?: string
  format?: string
}

const TIME = '2026-11-21T08:00:00.000Z'
/** Values of texts that have a pattern. Options have one, but pages get the text of the test as such. */
const PATTERNED = ['5', '0.5', '0.4750']
const OPTION = 'VoteOption'

const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '?')
const toLink = (text: string): string =>
  `https://x.example/?${encodeURIComponent(wellFormed(text))}`

const fillText = ({ pattern, format, title }: Schema, text: string) => {
  if (format === 'date-time') return TIME
  if (format === 'uri-reference') return '/api/proposals?q=quorum&page=0'
  if (pattern === undefined || title === OPTION) return text
  const found = [...PATTERNED, toLink(text)].find((each) => new RegExp(pattern).test(each))
  if (found === undefined) throw new Error(`no value of PATTERNED matches ${pattern}`)
  return found
}

/** So many objects that each alternative of each member is in one. Optional members are left out. */
const fillObjects = (schema: Schema, text: string): object[] => {
  const { properties = {}, required = [], additionalProperties } = schema
  if (additionalProperties && required.length === 0) return [{ [text]: [text] }]
  const members = required.map((name) => {
    const values = listValues(properties[name] ?? {}, text)
    return [name, name === 'forumUrl' ? [toLink(text), null] : values] as const
  })
  const count = Math.max(1, ...members.map(([, values]) => values.length))
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(
      members.map(([name, values]) => [name, values[Math.min(at, values.length - 1)]]),
    ),
  )
}

/** A value for each alternative of a schema. */
const listValues = (schema: Schema, text: string): unknown[] => {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => listValues(each, text))
  if (schema.enum) return [...schema.enum]
  if ('const' in schema) return [schema.const]
  switch (schema.type) {
    case 'null':
      return [null]
    case 'boolean':
      return [true, false]
    case 'integer':
      return [2]
    case 'array':
      return [listValues(schema.items ?? {}, text)]
    case 'object':
      return fillObjects(schema, text)
    default:
      return [fillText(schema, text)]
  }
}

const fill = <S extends TSchema>(schema: S, text: string): Static<S> =>
  listValues(schema as Schema, text)[0] as Static<S>

export const tally: Tally = {
  yes: '600',
  no: '200',
  abstain: '100',
  noWithVeto: '50',
  final: true,
  matchesChain: 'no',
  matchesChainReason: 'they differ',
  turnout: '0.9500',
  votingPower: '950',
  bondedTokens: '1000',
  quorum: '0.334',
  threshold: '0.5',
  vetoThreshold: '0.334',
  poolsVoted: 2,
  ballots: 3,
  rule: { name: 'gov', provedAt: null, reported: false },
  stakeAt: null,
}

/** In the form of the store: all fields except the type belong to the message. */
const createMessages = (text: string): ProposalPageData['messages'] => {
  const own = { [text]: text, to: [{ denom: text, amount: '5' }], deep: { a: { [text]: null } } }
  return [{ '@type': text, ...own }, { '@type': '/cosmos.gov.v1.MsgUpdateParams' }]
}

const NO_SUMS = { yes: '0', no: '0', abstain: '0', noWithVeto: '0' }

const createExtras = (text: string): ProposalPageData['extras'] => ({
  rounds: [1, 2],
  shownRound: 2,
  compared: {
    computed: { yes: '600.5', no: '200', abstain: '100', noWithVeto: '50' },
    chain: { yes: '599', no: '200', abstain: '100', noWithVeto: '50' },
  },
  turnoutSeries: {
    from: TIME,
    to: '2026-11-21T09:00:00.000Z',
    steps: [
      { until: '2026-11-21T08:30:00.000Z', ballots: 3, votingPower: '950', turnout: '0.4750' },
    ],
    untimed: 1,
    isTimed: true,
    quorumReached: { height: 17, time: '2026-11-21T08:15:00.000Z', reason: null },
  },
  nonVotingPools: {
    isFinal: true,
    unknownReason: null,
    total: 1,
    pools: [{ operatorAddress: text, moniker: text, bondedTokens: null }],
  },
  powerMap: {
    validators: [
      {
        operatorAddress: text,
        moniker: text,
        nonVoting: '0',
        own: { ...NO_SUMS, yes: '600', no: '200' },
        delegators: { ...NO_SUMS, abstain: '100', noWithVeto: '50' },
      },
      {
        operatorAddress: `${text}2`,
        moniker: text,
        nonVoting: '40',
        own: NO_SUMS,
        delegators: NO_SUMS,
      },
    ],
    rest: null,
    unknown: 0,
  },
})

/** How its vote ended, and what is known of it. */
const createEnd = (text: string) => ({
  status: 'rejected',
  outcomeReason: 'vetoed' as const,
  tally: { ...tally, matchesChainReason: text },
  history: 'partial' as const,
})

/** `text` fills each field that accepts untrusted text. */
export const proposalData = (text: string): ProposalPageData => {
  const { changes, explanations, ...rest } = fill(ProposalDetail, text)
  const ofFirst = { message: 0 }
  return {
    ...rest,
    ...createEnd(text),
    messages: createMessages(text),
    changes: changes?.map((each) => ({ ...each, ...ofFirst })) ?? null,
    explanations: explanations.map((each) => ({ ...each, ...ofFirst })),
    deposits: fill(DepositPage, text),
    extras: createExtras(text),
  }
}

export const listData = (text: string): HomeData['open'] => {
  const { items, links, ...rest } = fill(ProposalPage, text)
  const [first] = items.map((item) => ({ ...item, ...createEnd(text) }))
  const query = new URLSearchParams({ q: wellFormed(text), proposer: 'a', page: '0' })
  return {
    ...rest,
    items: [first!, { ...first!, status: 'voting_period', tally: null }, ...items],
    links: { ...links, self: `/api/proposals?${query}` },
  }
}

export const homeData = (text: string): HomeData => ({
  ...listData(text),
  open: listData(text),
})

export const searchData = (text: string): Found => {
  const pools = [{ ...fill(Pool, text), powerShare: null }]
  return { text, pools, poolCount: 2, proposals: listData(text) }
}

export const ballotsData = (text: string): Parameters<typeof ballotsPage.write>[0] => {
  const { links, ...rest } = fill(BallotTablePage, text)
  const query = new URLSearchParams({ delegatedTo: wellFormed(text), page: '0' })
  const options = [{ option: text, weight: '0.5' }]
  return {
    ...rest,
    links: { ...links, self: `/proposals/7/ballots?${query}` },
    vote: { title: text, status: text, shownRound: 2, rounds: [1, 2] },
    pools: [{ operatorAddress: text, accountAddress: text, moniker: text, options }],
  }
}
