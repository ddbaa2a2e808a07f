// Tests the alerts of votes with a real Prometheus and a real Alertmanager over the demo chain: one fires, the vote comes, it resolves.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'
import { findFreePorts } from '../devnet/ports.ts'
import { serve } from '../support/http/serve.ts'
import { runToEnd } from '../support/process/command.ts'
import { startListening } from '../support/process/listening-program.ts'
import { createRunFolder, until } from '../support/process/rollcall-process.ts'

const FOLDER = 'infra/deploy/prometheus'
const FIRES_MS = 120_000
/** The demo chain lives for some minutes. */
const RESOLVES_MS = 300_000

type Alert = { status: string; labels: Record<string, string>; annotations: Record<string, string> }

/** The host of the server. */
const startAnswering = async (answer: (url: string, body: string) => Promise<string>) => {
  const url = await serve(async (request, response) =>
    response.end(await answer(request.url ?? '', await text(request))),
  )
  return new URL(url).host
}

/** The chain is a recording, so its votes ended long ago: here each ends in twelve hours. */
const END = /^(rollcall_proposal_voting_end_time_seconds\{.*\}) .*$/gm
const serveGauges = (url: string): Promise<string> => {
  const ends = Date.now() / 1_000 + 12 * 3_600
  return startAnswering(async (path) =>
    (await (await fetch(url + path)).text()).replace(END, `$1 ${ends}`),
  )
}

const start = async (command: string, args: string[], ready: string): Promise<void> => {
  const { stop } = await startListening(command, args, ready)
  onTestFinished(stop)
}

const toKey = ({ labels }: Alert): string =>
  ['alertname', 'proposal_id', 'operator_address'].map((name) => labels[name]).join(' ')

it('an alert fires for a validator that has not voted, and its vote resolves it', async () => {
  const runFolder = await createRunFolder()
  onTestFinished(runFolder.clean)
  const url = await runFolder.run({}).untilServing()
  const gauges = await serveGauges(url)
  const received: Alert[] = []
  const receiver = await startAnswering(async (_path, body) => {
    received.push(...(JSON.parse(body) as { alerts: Alert[] }).alerts)
    return ''
  })
  const [alerts = 0, rules = 0, cluster = 0] = await findFreePorts(3)
  const folder = join(runFolder.folder, 'alerts')
  mkdirSync(folder, { recursive: true })
  copyFileSync(`${FOLDER}/votes.yml`, join(folder, 'votes.yml'))

  const example = parse(readFileSync(`${FOLDER}/alertmanager.example.yml`, 'utf8'))
  const managerFile = join(folder, 'alertmanager.yml')
  const webhook = { url: `http://${receiver}/`, send_resolved: true }
  const route = { receiver: 'test', group_by: ['...'], group_wait: '1s', group_interval: '1s' }
  const receivers = [{ name: 'test', webhook_configs: [webhook] }]
  const manager = { route, inhibit_rules: example.inhibit_rules, receivers }
  writeFileSync(managerFile, stringify(manager))
  await start(
    'prometheus-alertmanager',
    [
      `--config.file=${managerFile}`,
      `--storage.path=${join(folder, 'manager')}`,
      `--web.listen-address=127.0.0.1:${alerts}`,
      `--cluster.listen-address=127.0.0.1:${cluster}`,
    ],
    `http://127.0.0.1:${alerts}/-/ready`,
  )
  const configFile = join(folder, 'prometheus.yml')
  const interval = '1s'
  writeFileSync(
    configFile,
    stringify({
      global: {
        scrape_interval: interval,
        scrape_timeout: interval,
        evaluation_interval: interval,
      },
      rule_files: ['votes.yml'],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alerts}`] }] }] },
      scrape_configs: [
        {
          job_name: 'votes',
          metrics_path: '/api/metrics/governance',
          static_configs: [{ targets: [gauges] }],
        },
      ],
    }),
  )
  const checked = await runToEnd('promtool', ['check', 'config', configFile])
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('SUCCESS')])
  await start(
    'prometheus',
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${rules}`,
    ],
    `http://127.0.0.1:${rules}/-/ready`,
  )

  const isVote = ({ labels }: Alert) => labels['alertname'] === 'RollcallNotVotedOneDay'
  const isFiring = (alert: Alert) => isVote(alert) && alert.status === 'firing'
  await until('an alert fires', FIRES_MS, async () => received.find(isFiring))
  const manages = await runToEnd('amtool', [
    'alert',
    'query',
    'alertname=RollcallNotVotedOneDay',
    `--alertmanager.url=http://127.0.0.1:${alerts}`,
    '--output=json',
  ])
  expect(manages.code).toBe(0)
  expect(JSON.parse(manages.stdout).length).toBeGreaterThan(0)
  const resolved = await until('its vote resolves it', RESOLVES_MS, async () =>
    received.find((alert) => isVote(alert) && alert.status === 'resolved'),
  )
  expect(received.filter(isFiring).map(toKey)).toContain(toKey(resolved))
  const { proposal_id: id, operator_address: operator } = resolved.labels
  expect(resolved.annotations['summary']).toContain(`has not voted on proposal ${id}`)
  const shown = await (await fetch(`${url}/api/metrics/governance`)).text()
  expect(shown).toMatch(
    new RegExp(`rollcall_pool_voted\\{[^}]*"${id}",operator_address="${operator}"\\} 1\n`),
  )
})

it('the examples of the page are configurations that Prometheus and Alertmanager accept', async () => {
  const runFolder = await createRunFolder()
  onTestFinished(runFolder.clean)
  const [, example = ''] =
    /```yaml\n(.*?)```/s.exec(readFileSync('infra/deploy/VOTE-ALERTS.md', 'utf8')) ?? []
  const configFile = join(runFolder.folder, 'prometheus.yml')
  copyFileSync(`${FOLDER}/votes.yml`, join(runFolder.folder, 'votes.yml'))
  writeFileSync(configFile, example)
  for (const [command, args] of [
    ['promtool', ['check', 'config', configFile]],
    ['amtool', ['check-config', `${FOLDER}/alertmanager.example.yml`]],
  ] as const) {
    const { code, stdout, stderr } = await runToEnd(command, args)
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
  }
})
