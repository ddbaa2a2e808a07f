// Tests the gauges of faults: they count the served tables only.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../infra/base/clickhouse/client.ts'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import type { Generation } from '../../../../projections/contract/generations.ts'
import { createFaultGauges } from '../../../../projections/generations/fault-gauges.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'

const generation = (number: number, state: Generation['state']): Generation => ({
  generation: number,
  state,
  changedAtMs: 0,
  reason: '',
  version: 1n,
})

const setup = (deadLetters: Record<string, number>) => {
  const databases: string[] = []
  const store: Pick<Store, 'select'> = {
    select: async <Row>(sql: string) => {
      const database = /FROM (\w+)\.dead_letters/.exec(sql)?.[1] ?? ''
      databases.push(database)
      return [{ dead_letters: `${deadLetters[database]}`, differing_tallies: '0' }] as Row[]
    },
  }
  const metrics = createMetrics('projections')
  const clock = createFakeClock()
  const refresh = createFaultGauges({ store: store as Store, metrics, control: 'rollcall', clock })
  const readGauge = async () =>
    /^rollcall_projections_dead_letters (\d+)$/m.exec(await metrics.registry.metrics())?.[1]
  return { refresh, databases, readGauge, clock }
}

describe('faults in the served tables', () => {
  it('end with the switch to tables that a retry has fixed', async () => {
    const { refresh, readGauge } = setup({ rollcall_1: 3, rollcall_2: 0 })
    await refresh([generation(1, 'active'), generation(2, 'building')])
    expect(await readGauge()).toBe('3')
    await refresh([generation(1, 'retired'), generation(2, 'active')])
    expect(await readGauge()).toBe('0')
  })

  it('are queried every ten seconds, independent of the number of calls', async () => {
    const { refresh, databases, clock } = setup({ rollcall_1: 1 })
    for (let second = 0; second < 25; second++) {
      await refresh([generation(1, 'active')])
      clock.advance(1_000)
    }
    expect(databases).toEqual(['rollcall_1', 'rollcall_1', 'rollcall_1'])
  })
})
