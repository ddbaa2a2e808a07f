// Runs ingest with one endpoint that fails again and again: an outage delays events and loses none.
import { expect, it } from 'vitest'
import { startCrossed } from '../support/chain/crossed-nodes.ts'
import { createGovStory } from '../support/chain/gov-story.ts'
import { ingestToTip } from '../support/chain/ingest-run.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { withoutProofs } from './endpoint-life.ts'

it('an endpoint that fails at every third read of the state gives the same log', {
  tags: 'ingest:outage-loses-nothing',
}, async () => {
  const chain = createGovStory()
  const whole = await ingestToTip(chain, openMemoryLog())
  let asked = 0
  const run = await startCrossed(chain, [
    {
      strike: ({ method }) =>
        method === 'abci_query' && ++asked % 3 === 0 ? 'HTTP 500' : undefined,
    },
  ])
  try {
    await run.reached(chain.tip)
    expect(asked).toBeGreaterThan(90)
    expect(withoutProofs(await run.events())).toEqual(withoutProofs(whole))
  } finally {
    await run.stop()
  }
})
