// Tests the limits that AtomOne has for laws and constitution amendments, by the numbers of each version.
import { BinaryWriter } from 'cosmjs-types/binary'
import { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import { expect, it } from 'vitest'
import { systemClock } from '../../../../infra/base/runtime/clock.ts'
import { valueOrNull } from '../../../../ingest/chain/answer.ts'
import { withGovPackage } from '../../../../ingest/chain/gov-package.ts'
import { govParamsAt } from '../../../../ingest/chain/gov-params.ts'
import { findHighest, toKindLimits } from '../../../../ingest/contract/gov-type.ts'
import { type Answers, nodeWith } from '../../../support/chain/node-with.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

/** Texts by field number. */
const encode = (texts: Readonly<Record<number, string>>): Uint8Array => {
  const writer = new BinaryWriter()
  for (const [no, text] of Object.entries(texts)) writer.uint32((Number(no) << 3) | 2).string(text)
  return writer.finish()
}
const createParams = (quorum: string, own: Readonly<Record<number, string>>) => () => {
  const params = Params.fromPartial({ quorum, threshold: '0.5', minDeposit: [] })
  const bytes = Buffer.concat([Params.encode(params).finish(), encode(own)])
  return new BinaryWriter().uint32(34).bytes(bytes).finish()
}

const readParams = async (answers: Answers) => {
  const node = withGovPackage(nodeWith(answers), { clock: systemClock, logger: silentLogger() })
  const params = valueOrNull(await govParamsAt(node, 5))
  if (!params) throw new Error('there are no parameters')
  return params
}

const FIXED = { 16: '0.25', 17: '0.9', 18: '0.2', 19: '0.667' }
const QUORUMS = () => encode({ 1: '0.3', 2: '0.4', 3: '0.2' })

it('are parameters in version 1, and at least as high as those of all proposals', async () => {
  const params = await readParams({ '/atomone.gov.v1.Query/Params': createParams('0.22', FIXED) })
  expect(params.kinds).toEqual({
    constitutionAmendment: { quorum: '0.25', threshold: '0.9' },
    law: { quorum: '0.22', threshold: '0.667' },
  })
})

it('lack the threshold of laws since version 4: an endorsed law has another', async () => {
  const params = await readParams({
    '/cosmos.gov.v1.Query/Params': createParams('', { 18: '0.9', 20: '0.667', 31: '10000' }),
    '/cosmos.gov.v1.Query/Quorums': QUORUMS,
  })
  expect(params.kinds).toEqual({
    constitutionAmendment: { quorum: '0.4', threshold: '0.9' },
    law: { quorum: '0.3', threshold: null },
  })
})

it('are those of a proposal with messages of both kinds by the higher one', async () => {
  const params = await readParams({ '/atomone.gov.v1.Query/Params': createParams('0.22', FIXED) })
  const both = toKindLimits(['law', 'constitutionAmendment'], params)
  expect(both).toMatchObject({ quorum: '0.25', threshold: '0.9' })
  expect(toKindLimits(['law', 'constitutionAmendment'], both)).toEqual(both)
  expect(findHighest(['0.3', null, '0.5'])).toBeNull()
})
