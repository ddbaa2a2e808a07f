// Tests which rule tallies of a chain have, as far as the chain shows it.
import { BinaryWriter } from 'cosmjs-types/binary'
import * as v1 from 'cosmjs-types/cosmos/gov/v1/query'
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { QueryPoolResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { expect, it } from 'vitest'
import { withGovPackage } from '../../../../ingest/chain/gov-package.ts'
import { createTallyRules, type StrategySetting } from '../../../../ingest/tally-rules/find-rule.ts'
import { type Answers, nodeWith } from '../../../support/chain/node-with.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const params = () =>
  v1.QueryParamsResponse.encode(
    v1.QueryParamsResponse.fromPartial({ params: { quorum: '0.25', threshold: '0.667' } }),
  ).finish()
const oldParams = () =>
  v1beta1.QueryParamsResponse.encode(v1beta1.QueryParamsResponse.fromPartial({})).finish()
const quorums = () => new BinaryWriter().uint32(10).string('0.183').finish()

/** `max_provider_consensus_validators`; other parameters come before it. */
const providerParams = (limit?: number) => (): Uint8Array => {
  const fields = new BinaryWriter().uint32(10).string('client template')
  const params = (limit === undefined ? fields : fields.uint32(96).int64(BigInt(limit))).finish()
  return new BinaryWriter().uint32(10).bytes(params).finish()
}
const PROVIDER = '/interchain_security.ccv.provider.v1.Query/QueryParams'
const GOV = { '/cosmos.gov.v1.Query/Params': params }
const pool = () => QueryPoolResponse.encode(QueryPoolResponse.fromPartial({ pool: {} })).finish()
const STAKING = { '/cosmos.staking.v1beta1.Query/Pool': pool }
const SDK = { ...GOV, ...STAKING }

const setup = (answers: Answers, setting: StrategySetting = 'auto') => {
  const { logger, lines } = recordingLogger()
  const paths: string[] = []
  const node = nodeWith(answers)
  const upstream: typeof node = {
    abciQuery: (request) => {
      paths.push(request.path)
      return node.abciQuery(request)
    },
  }
  const clock = createFakeClock()
  const found = withGovPackage(upstream, { clock, logger })
  const rules = createTallyRules({ node: found, upstream, setting, logger })
  return { find: (height: number) => rules.find(found, height), lines, paths }
}

it.each<[string, Answers]>([
  ['x/gov before SDK 0.46', { ...STAKING, '/cosmos.gov.v1beta1.Query/Params': oldParams }],
  ['no x/gov', {}],
  ['a provider without a limit', { ...SDK, [PROVIDER]: providerParams(0) }],
  ['a provider before the limit existed', { ...SDK, [PROVIDER]: providerParams() }],
])('a chain with %s has the rule of x/gov', async (_, answers) => {
  const { find, lines } = setup(answers)
  expect(await find(5)).toEqual({ value: { name: 'gov' } })
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([])
})

it.each<[string, Answers, string]>([
  [
    'that computes its quorums',
    { ...SDK, '/cosmos.gov.v1.Query/Quorums': quorums },
    'computes its quorums',
  ],
  [
    'of an unknown fork',
    { ...STAKING, '/shentu.gov.v1.Query/Params': params },
    'package of its own',
  ],
  ['without x/staking', GOV, 'no x/staking'],
])('a chain has a rule of its own, and the log says why: %s', async (_, answers, reason) => {
  const { find, lines } = setup(answers)
  expect(await find(5)).toEqual({ value: { name: 'own' } })
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'warn', reason: expect.stringContaining(reason) }),
  )
})

const ATOMONE = { '/atomone.gov.v1.Query/Params': params }
const PROVIDED = { ...SDK, [PROVIDER]: providerParams(180) }
const GOVERNED = { ...GOV, ...ATOMONE, '/cosmos.gov.v1.Query/Governors': () => new Uint8Array() }

it.each<[string, StrategySetting, Answers]>([
  ['no_inheritance', 'auto', ATOMONE],
  ['provider', 'auto', PROVIDED],
  ['governors', 'auto', GOVERNED],
  ['governors', 'governors', GOVERNED],
  ['gov', 'inherit', PROVIDED],
  ['own', 'none', SDK],
])('finds the rule %s with the setting %s', async (name, setting, answers) => {
  expect(await setup(answers, setting).find(5)).toMatchObject({ value: { name } })
})

it('does not take a module without its state for absent', async () => {
  const log = 'version does not exist'
  const { find } = setup({ ...SDK, [PROVIDER]: () => ({ kind: 'pruned', log }) as const })
  expect(await find(5)).toEqual({ unavailable: expect.stringContaining(log) })
})

it('asks for a module again a hundred heights later, whatever the clock shows', async () => {
  const answers: Answers = { ...SDK }
  const { find, paths } = setup(answers)
  await find(5)
  answers[PROVIDER] = providerParams(3)
  paths.length = 0
  expect([await find(6), paths]).toEqual([{ value: { name: 'gov' } }, []])
  expect(await find(100)).toEqual({ value: { name: 'provider', maxPools: 3 } })
  expect(await find(6)).toEqual({ value: { name: 'gov' } })
})
