// Alert rules and the dashboard query only metrics that the sources register.
import { describe, expect, it } from 'vitest'
import { readAlerts, readDeployFile, readPanels } from '../../../support/source/deploy-files.ts'
import { readSources } from '../../../support/source/source-tree.ts'

/** Metrics of Prometheus itself and of other exporters. */
const OTHERS = [
  'up',
  'kafka_brokers',
  'kafka_topic_partition_under_replicated_partition',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'ClickHouseMetrics_Query',
  'ClickHouseAsyncMetrics_MaxPartCountForPartition',
]

const SERVICES = ['ingest', 'projections', 'api', 'auth']

/** Metrics that every service can have are in `infra`. */
const findServices = (path: string): string[] => {
  const folder = path.split('/')[0] ?? ''
  return folder === 'infra' ? SERVICES : SERVICES.filter((service) => service === folder)
}

/** Histograms by the names of their series. */
const registered = (): Set<string> => {
  const names = readSources()
    .filter(({ path }) => path.endsWith('.ts') && !path.startsWith('test/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\b(counter|gauge|histogram)\(\{\s*name: '([a-z_]+)'/g)].flatMap(
        ([, kind, name]) =>
          findServices(path).flatMap((service) => {
            const full = `rollcall_${service}_${name}`
            return kind === 'histogram'
              ? ['_bucket', '_sum', '_count'].map((part) => full + part)
              : [full]
          }),
      ),
    )
  return new Set(names)
}

/** Names in an expression: words that are not labels, functions or strings. */
const metricsIn = (expression: string): string[] =>
  [
    ...expression
      .replace(/"[^"]*"/g, '')
      .replace(/\{[^}]*\}/g, '')
      .replace(/\b(?:by|on|without)\s*\([^)]*\)/g, '')
      .matchAll(/\b[A-Za-z_]\w*\b(?!\s*\()/g),
  ]
    .map(([name]) => name)
    .filter((name) => name !== 'or' && name !== 'and' && !/^\d?[smhd]$/.test(name))

const unknownIn = (expressions: readonly string[]): string[] => {
  const known = registered()
  return expressions.flatMap(metricsIn).filter((name) => !known.has(name) && !OTHERS.includes(name))
}

describe('alert rules', () => {
  it('query only registered metrics', () => {
    const expressions = readAlerts().map(({ expr }) => expr)
    expect(expressions.length).toBeGreaterThan(20)
    expect(expressions.flatMap(metricsIn).length).toBeGreaterThan(25)
    expect(unknownIn(expressions)).toEqual([])
  })

  it('report an unregistered metric and accept one of each kind', () => {
    expect(unknownIn(['sum by (le) (rate(rollcall_api_gone_total{a="b"}[5m])) > 1'])).toEqual([
      'rollcall_api_gone_total',
    ])
    const known = ['rollcall_ingest_leading', 'rollcall_api_read_seconds_bucket']
    expect(unknownIn([...known, 'rollcall_projections_undecodable_records_total'])).toEqual([])
  })

  it.each([
    'rollcall_ingest_leading',
    'rollcall_projections_leading',
    'rollcall_ingest_lag_blocks',
    'rollcall_projections_lag_events',
    'rollcall_api_freshness_seconds',
    'rollcall_projections_undecodable_records_total',
    'rollcall_projections_stopped_proposals',
    'rollcall_projections_differing_tallies',
    'rollcall_projections_unmatched_tallies_total',
    'rollcall_projections_impossible_numbers_total',
    'rollcall_projections_refused_rows_total',
    'rollcall_ingest_log_full',
    'rollcall_ingest_endpoint_healthy',
    'rollcall_api_answers_total',
    'rollcall_api_read_seconds_bucket',
    'rollcall_projections_store_retries_total',
    'node_filesystem_avail_bytes',
  ])('include a rule for %s', (metric) => {
    const about = readAlerts().filter(({ expr }) => metricsIn(expr).includes(metric))
    expect(about).not.toEqual([])
  })

  it('have a summary and link to an existing section of the runbook', () => {
    const headings = [...readDeployFile('RUNBOOK.md').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      (heading ?? '')
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    )
    for (const { alert, annotations } of readAlerts()) {
      expect(annotations['summary'], alert).toBeTruthy()
      const { runbook } = annotations
      if (runbook) expect(headings, alert).toContain(runbook.replace('RUNBOOK.md#', ''))
    }
  })
})

describe('the dashboard', () => {
  it('queries only registered metrics of the provisioned data source', () => {
    const targets = readPanels().flatMap(({ targets: each = [] }) => each)
    expect(targets.length).toBeGreaterThan(30)
    expect(unknownIn(targets.map(({ expr }) => expr))).toEqual([])
    const source = readDeployFile('grafana/provisioning/datasources/prometheus.yaml')
    for (const { datasource } of targets) expect(source).toContain(`uid: ${datasource.uid}\n`)
  })
})
