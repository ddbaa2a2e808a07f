// Alert rules and the dashboard query only metrics that the sources register.
import { describe, expect, it } from 'vitest'
import { readAlerts, readDeployFile, readPanels } from '../../../support/source/deploy-files.ts'
import { readSources } from '../../../support/source/source-tree.ts'

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

const unknownIn = (expressions: readonly string[]): string[] => {
  const known = registered()
  const names = expressions.flatMap((expression) => expression.match(/\brollcall_\w+/g) ?? [])
  expect(names.length).toBeGreaterThan(25)
  return names.filter((name) => !known.has(name))
}

describe('alert rules', () => {
  it('query only registered metrics', () => {
    const expressions = readAlerts().map(({ expr }) => expr)
    expect(unknownIn(expressions)).toEqual([])
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
    expect(unknownIn(targets.map(({ expr }) => expr))).toEqual([])
    const source = readDeployFile('grafana/provisioning/datasources/prometheus.yaml')
    for (const { datasource } of targets) expect(source).toContain(`uid: ${datasource.uid}\n`)
  })
})
