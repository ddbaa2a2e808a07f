// Tests for which chains a tally is recomputed by the rules of x/gov.
import { BinaryWriter } from 'cosmjs-types/binary'
import * as v1 from 'cosmjs-types/cosmos/gov/v1/query'
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { expect, it } from 'vitest'
import { systemClock } from '../../../../infra/runtime/clock.ts'
import { withGovPackage } from '../../../../ingest/chain/gov-package.ts'
import { findTallyStrategy, type StrategySetting } from '../../../../ingest/chain/tally-strategy.ts'
import { type Answers, nodeWith } from '../../../support/chain/node-with.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const params = () =>
  v1.QueryParamsResponse.encode(
    v1.QueryParamsResponse.fromPartial({ params: { quorum: '0.25', threshold: '0.667' } }),
  ).finish()
const oldParams = () =>
  v1beta1.QueryParamsResponse.encode(v1beta1.QueryParamsResponse.fromPartial({})).finish()
const quorums = () => new BinaryWriter().uint32(10).string('0.183').finish()

const find = async (answers: Answers, setting: StrategySetting = 'auto') => {
  const { logger, lines } = recordingLogger()
  const upstream = nodeWith(answers)
  const node = withGovPackage(upstream, { clock: systemClock, logger })
  return [await findTallyStrategy({ node, upstream }, { setting, logger }), lines] as const
}

it.each<[string, Answers]>([
  ['x/gov', { '/cosmos.gov.v1.Query/Params': params }],
  ['x/gov before SDK 0.46', { '/cosmos.gov.v1beta1.Query/Params': oldParams }],
  ['no x/gov', {}],
])('a chain with %s has the rules of x/gov', async (_, answers) => {
  const [strategy, lines] = await find(answers)
  expect([strategy, lines.filter(({ level }) => level === 'warn')]).toEqual(['inherit', []])
})

it.each<[string, Answers, string]>([
  [
    'that computes its quorums, as AtomOne does since version 4',
    { '/cosmos.gov.v1.Query/Params': params, '/cosmos.gov.v1.Query/Quorums': quorums },
    'computes its quorums',
  ],
  ['of AtomOne before version 4', { '/atomone.gov.v1.Query/Params': params }, 'package of its own'],
  ['of another fork', { '/shentu.gov.v1.Query/Params': params }, 'package of its own'],
])('a chain has no recomputed tally, and the log says why: %s', async (_, answers, reason) => {
  const [strategy, lines] = await find(answers)
  expect(strategy).toBe('none')
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'warn', reason: expect.stringContaining(reason) }),
  )
})

it.each(['inherit', 'no_inheritance', 'none'] as const)(
  'the setting %s counts, whatever the chain shows',
  async (setting) => {
    expect((await find({ '/atomone.gov.v1.Query/Params': params }, setting))[0]).toBe(setting)
    expect((await find({ '/cosmos.gov.v1.Query/Params': params }, setting))[0]).toBe(setting)
  },
)
