// Tests of the parser for metrics in the text format of Prometheus.
import { describe, expect, it } from 'vitest'
import { parseExposition } from '../../../../../infra/app/top/exposition.ts'
import { createMetrics } from '../../../../../infra/runtime/metrics.ts'

describe('parseExposition', () => {
  it('parses the output of a service, with every character of a label', async () => {
    const metrics = createMetrics('ingest')
    metrics.gauge({ name: 'tip_height', help: 'A height' }).set(612)
    const endpoint = 'a "quoted" \\ name,\nwith} {all="of it"'
    metrics
      .gauge({ name: 'endpoint_healthy', help: 'h', labels: ['endpoint'] })
      .set({ endpoint }, 0)
    expect(parseExposition(await metrics.registry.metrics())).toEqual([
      { name: 'rollcall_ingest_tip_height', labels: {}, value: 612 },
      { name: 'rollcall_ingest_endpoint_healthy', labels: { endpoint }, value: 0 },
    ])
  })

  it('ignores values that are not numbers, lines that are not samples, and metrics of others', () => {
    const text = [
      '# TYPE rollcall_a gauge',
      'rollcall_a NaN',
      'rollcall_b +Inf',
      'rollcall_c{',
      '',
      'process_cpu_seconds_total 3',
      'rollcall_d 1e3',
      '<html>rollcall_e 1</html>',
    ].join('\n')
    expect(parseExposition(text)).toEqual([{ name: 'rollcall_d', labels: {}, value: 1000 }])
  })
})
