// What is in doubt of what is served: as many as the served tables hold, whatever was counted on the way there.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/clickhouse/client.ts'
import { createMetrics } from '../../../infra/runtime/metrics.ts'
import type { Generation } from '../../../projections/contract/generations.ts'
import { createServedFaults } from '../../../projections/served-faults.ts'
import { createFakeClock } from '../../support/process/fake-clock.ts'

const generation = (number: number, state: Generation['state']): Generation => ({
  ...{ generation: number, state, changedAtMs: 0, reason: '', version: 1n },
})

const setup = (held: Record<string, number>) => {
  const asked: string[] = []
  const store: Pick<Store, 'select'> = {
    select: async <Row>(sql: string) => {
      const database = /FROM (\w+)\.dead_letters/.exec(sql)?.[1] ?? ''
      asked.push(database)
      return [{ dead_letters: `${held[database]}`, differing_tallies: '0' }] as Row[]
    },
  }
  const metrics = createMetrics('projections')
  const clock = createFakeClock()
  const look = createServedFaults({ store: store as Store, metrics, control: 'rollcall', clock })
  const told = async () =>
    /^rollcall_projections_dead_letters (\d+)$/m.exec(await metrics.registry.metrics())?.[1]
  return { look, asked, told, clock }
}

describe('what is in doubt of what is served', () => {
  it('is over with the switch to tables that a retry has mended', async () => {
    const { look, told } = setup({ rollcall_1: 3, rollcall_2: 0 })
    await look([generation(1, 'active'), generation(2, 'building')])
    expect(await told()).toBe('3')
    await look([generation(1, 'retired'), generation(2, 'active')])
    expect(await told()).toBe('0')
  })

  it('is asked for every ten seconds, however often anybody looks', async () => {
    const { look, asked, clock } = setup({ rollcall_1: 1 })
    for (let second = 0; second < 25; second++) {
      await look([generation(1, 'active')])
      clock.advance(1_000)
    }
    expect(asked).toEqual(['rollcall_1', 'rollcall_1', 'rollcall_1'])
  })
})
