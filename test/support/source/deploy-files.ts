// Reads and parses the files of the deployment.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

const FOLDER = 'infra/deploy'

export const readDeployFile = (path: string): string => readFileSync(join(FOLDER, path), 'utf8')

export type ComposeService = {
  image: string
  environment?: Record<string, string>
  ports?: string[]
  restart?: string
  networks: string[]
  cap_drop?: string[]
  security_opt?: string[]
  read_only?: boolean
  volumes?: string[]
  deploy: { replicas?: number; resources: { limits: { cpus: string; memory: string } } }
}

export type Compose = {
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean }>
  volumes: Record<string, object>
}

/** With `<<` merged, as compose reads it. */
export const readCompose = (): Compose => parse(readDeployFile('compose.yaml'), { merge: true })

export type Manifest = {
  kind: string
  metadata: { name: string }
  spec: Record<string, unknown>
  data?: Record<string, string>
}

export const readManifests = (): Manifest[] =>
  readdirSync(join(FOLDER, 'kubernetes'))
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(readDeployFile(`kubernetes/${name}`)))
    .map((document) => document.toJS())

export type Alert = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<string, string>
}

export const readAlerts = (): Alert[] => {
  const { groups } = parse(readDeployFile('prometheus/rules.yml'))
  return groups.flatMap(({ rules }: { rules: Alert[] }) => rules)
}

type Panel = {
  title: string
  description?: string
  targets?: { expr: string; datasource: { uid: string } }[]
}

export const readPanels = (): Panel[] =>
  JSON.parse(readDeployFile('grafana/dashboards/rollcall.json')).panels

/** Of the dashboard of governance: the title of each panel, and its query of ClickHouse. */
export const readGovernanceQueries = (): { title: string; sql: string }[] => {
  const { panels } = JSON.parse(readDeployFile('grafana/dashboards/governance.json'))
  return panels.map(({ title, targets }: { title: string; targets: [{ rawSql: string }] }) => ({
    title,
    sql: targets[0].rawSql,
  }))
}

/** Names of settings in a file of `NAME=value` lines, with their values. */
export const readEnvFile = (path: string): Map<string, string> =>
  new Map(
    [...readDeployFile(path).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
