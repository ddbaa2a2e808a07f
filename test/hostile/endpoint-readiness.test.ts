// Operators see the unusable endpoints with the reason, a wrong CHAIN_ID fails readiness, and no fault floods the log.
import { describe, expect, it, onTestFinished } from 'vitest'
import { startCrossed } from '../support/chain/crossed-nodes.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { waitUntil } from '../support/chain/source-rig.ts'

const setup = async (nodes: number, options: Parameters<typeof startCrossed>[2]) => {
  const chain = createMemoryChain()
  for (let height = 1; height <= 5; height++) chain.add()
  const run = await startCrossed(
    chain,
    Array.from({ length: nodes }, () => ({})),
    options,
  )
  onTestFinished(run.stop)
  return { ...run, chain }
}

const waitFiveSeconds = () => new Promise((resolve) => setTimeout(resolve, 5_000))

describe('a CHAIN_ID that no endpoint serves', () => {
  it('is an error and fails readiness, and both messages name the two chains', async () => {
    const run = await setup(1, { env: { CHAIN_ID: 'other-1' } })
    const isNamed = () => run.ingest.readiness().reasons.join().includes('serves test-1')
    await waitUntil(isNamed, 'readiness names it')
    expect(run.ingest.readiness()).toMatchObject({
      ready: false,
      reasons: [
        'no height is indexed',
        `endpoint ${run.names[0]}: serves test-1 instead of other-1 (CHAIN_MISMATCH)`,
      ],
    })
    const failures = run.lines.filter(({ msg }) => msg === 'endpoint failed')
    expect(failures[0]).toMatchObject({
      level: 'error',
      endpoint: run.names[0],
      fault: 'CHAIN_MISMATCH',
      reason: 'serves test-1 instead of other-1',
    })
  })
})

describe('an endpoint that is down', () => {
  it('is named by readiness, which fails if it is the only one', async () => {
    const run = await setup(1, {})
    await run.reached(run.chain.tip)
    expect(run.ingest.readiness()).toMatchObject({ ready: true, reasons: [] })
    run.nodes[0]?.fault('HTTP 500')
    await waitUntil(() => !run.ingest.readiness().ready, 'it is not ready')
    expect(run.ingest.readiness().reasons.join()).toContain(`endpoint ${run.names[0]}: `)
    run.nodes[0]?.heal()
    await waitUntil(() => run.ingest.readiness().ready, 'it is ready again')
    expect(run.ingest.readiness().reasons).toEqual([])
  })

  it('is named from the start, before any height is indexed', async () => {
    const run = await setup(1, { prepare: ([only]) => only?.fault('drops the socket') })
    const isNamed = () => run.ingest.readiness().reasons.join().includes('ECONNRESET')
    await waitUntil(isNamed, 'readiness names it')
    expect(run.ingest.readiness().ready).toBe(false)
    run.nodes[0]?.heal()
    await run.reached(run.chain.tip)
  })

  it('does not fill the log: each fault is one line until a summary is due', async () => {
    const run = await setup(2, {
      config: { rpcRetryBudgetSeconds: 1 },
      prepare: (nodes) => {
        for (const node of nodes) node.fault('HTTP 500')
      },
    })
    await waitFiveSeconds()
    const requestCount = run.nodes.reduce((sum, { requests }) => sum + requests.length, 0)
    expect(requestCount).toBeGreaterThan(20)
    const repeated = new Map<string, number>()
    for (const { level, msg, endpoint, fault, what } of run.lines) {
      if (level !== 'warn' && level !== 'error') continue
      const key = [level, msg, endpoint, fault, what].join(' ')
      repeated.set(key, (repeated.get(key) ?? 0) + 1)
    }
    expect([...repeated].filter(([, count]) => count > 1)).toEqual([])
    expect(repeated.size).toBeGreaterThan(0)
  })
})
