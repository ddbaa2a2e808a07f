// The schemas of responses as OpenAPI components with references. Pure.
import type { TSchema } from 'typebox'
import { EventEnvelope } from '../../../ingest/contract/envelope.ts'
import { isJsonObject, type JsonObject } from '../../../ingest/contract/json.ts'
import { Ballot, BallotPage, VoterBallotPage } from '../../schemas/ballot.ts'
import { AsOf, PageInfo, PageLinks } from '../../schemas/common.ts'
import { Deposit, DepositPage } from '../../schemas/deposit.ts'
import { EventPage, EvidencePage } from '../../schemas/evidence.ts'
import { Explanation } from '../../schemas/explanation.ts'
import { Health } from '../../schemas/health.ts'
import { ListedMessage, MessagePage } from '../../schemas/message.ts'
import { Pool, PoolPage, PoolRecordPage } from '../../schemas/pool.ts'
import { ParameterError, ProblemBody } from '../../schemas/problem.ts'
import {
  LightBlock,
  LightBlockItem,
  LightBlockPage,
  ProposalProof,
  ValidatorSet,
} from '../../schemas/proof.ts'
import {
  DepositRequirement,
  ParameterChange,
  ProposalDetail,
  ProposalPage,
  ProposalSummary,
  Tally,
} from '../../schemas/proposal.ts'
import { OptionSums, VotePage, VoteRecord } from '../../schemas/vote.ts'
import type { JsonSchema, Reference } from './types.ts'

const NAMED = {
  AsOf,
  PageInfo,
  PageLinks,
  Health,
  Tally,
  ProposalSummary,
  ProposalPage,
  ProposalDetail,
  ParameterChange,
  DepositRequirement,
  Explanation,
  ListedMessage,
  MessagePage,
  Deposit,
  DepositPage,
  OptionSums,
  VoteRecord,
  VotePage,
  Ballot,
  BallotPage,
  Event: EventEnvelope,
  EventPage,
  EvidencePage,
  Pool,
  PoolPage,
  PoolRecordPage,
  VoterBallotPage,
  ProposalProof,
  LightBlockItem,
  LightBlockPage,
  LightBlock,
  ValidatorSet,
  ParameterError,
  Problem: ProblemBody,
} as const satisfies Record<string, TSchema>

const names = new Map<unknown, string>(
  Object.entries(NAMED).map(([name, schema]) => [schema, name]),
)

/** The reference to a named schema. */
export const refTo = (schema: TSchema): Reference => ({
  $ref: `#/components/schemas/${names.get(schema)}`,
})

/** `anyOf` of constants becomes an `enum`; `anyOf` of a simple type and null becomes a list of types. */
const simplifySchema = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const branches = anyOf.filter(isJsonObject)
  if (branches.every((branch) => 'const' in branch)) {
    return { type: 'string', enum: branches.map((branch) => branch['const']), ...rest }
  }
  const [first, second] = branches
  const isSimple =
    branches.length === 2 && second?.['type'] === 'null' && typeof first?.['type'] === 'string'
  if (!isSimple || !first) return schema
  const hasNull = Array.isArray(first['enum']) ? { enum: [...first['enum'], null] } : {}
  return { ...first, ...rest, type: [first['type'], 'null'], ...hasNull }
}

const toComponent = (value: unknown, isRoot = false): unknown => {
  const name = names.get(value)
  if (name !== undefined && !isRoot) return refTo(value as TSchema)
  if (Array.isArray(value)) return value.map((each) => toComponent(each))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => key !== '$id')
  return simplifySchema(Object.fromEntries(entries.map(([key, each]) => [key, toComponent(each)])))
}

export const schemaComponents = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => [name, toComponent(schema, true) as JsonSchema]),
  )
