// Tests the base of the quorum if a pool is jailed in the closing block: since SDK 0.54 without that pool.
import { QueryModuleVersionsResponse } from 'cosmjs-types/cosmos/upgrade/v1beta1/query'
import { expect, it } from 'vitest'
import { ofType } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { end, ingested, type Step, start, votes } from '../../../support/chain/vote-run.ts'

const createChain = (authVersion: bigint | undefined) =>
  createMemoryChain({
    modules: (path) => {
      if (path !== '/cosmos.upgrade.v1beta1.Query/ModuleVersions' || !authVersion) return undefined
      const moduleVersions = [{ name: 'auth', version: authVersion }]
      return QueryModuleVersionsResponse.encode({ moduleVersions }).finish()
    },
  })

/** The tally sees the pool jailed and still bonded. */
const jailing = end({ yes: '55', no: '60', noWithVeto: '490' }, {}, ({ pools }) => {
  Object.assign(pools.get('two')!, { jailed: true, status: 2 })
})

it.each([
  ['SDK 0.54', 6n, '700'],
  ['an earlier SDK', 5n, '1000'],
  ['an SDK that does not say its versions', undefined, '1000'],
])('%s', async (_, version, base) => {
  const steps = [[{}] as Step, start(), votes, jailing]
  const { events, readings, alerts } = await ingested(steps, {}, createChain(version))
  const [closed] = ofType(events, 'rollcall.proposal.closed.v1')
  expect([closed?.data.bondedTokens, readings[0]?.bondedTokens]).toEqual([base, base])
  expect(alerts).toEqual([])
})

it('asks for versions only if the bases differ', async () => {
  const chain = createChain(6n)
  const steps = [[{}] as Step, start(), votes, end({ yes: '75', no: '60', noWithVeto: '490' })]
  await ingested(steps, {}, chain)
  expect(chain.queries.filter(({ path }) => path.includes('ModuleVersions'))).toEqual([])
})
