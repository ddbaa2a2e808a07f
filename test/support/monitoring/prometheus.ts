// Runs the machine's Prometheus with the configuration of the deployment; only targets and intervals differ.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { findFreePorts } from '../../devnet/ports.ts'
import { until } from '../process/rollcall-process.ts'
import { readDeployFile } from '../source/deploy-files.ts'

/** The local target of each job of the configuration; jobs without a target are removed. */
export type Targets = Readonly<Record<string, { address: string; keep?: string }>>

type Job = { job_name: string } & Record<string, unknown>
type Sample = { metric: Record<string, string>; value: [number, string] }
type Answer = { data?: { result: Sample[] }; error?: string }

export type Prometheus = {
  /** The current values of an expression; may be empty. */
  query(expression: string): Promise<number[]>
  /** Jobs with reachable targets. */
  up(): Promise<string[]>
  stop(): Promise<void>
}

const INTERVAL = '1s'

const jobAt = ({ job_name: name }: Job, { address, keep }: { address: string; keep?: string }) => ({
  job_name: name,
  static_configs: [{ targets: [address] }],
  // One machine serves the metrics of all services at one address; each job selects its own.
  ...(keep === undefined
    ? {}
    : {
        metric_relabel_configs: [{ source_labels: ['__name__'], regex: keep, action: 'keep' }],
      }),
})

const configFor = (folder: string, targets: Targets): string => {
  const config = parse(readDeployFile('prometheus/prometheus.yml'))
  const jobs: Job[] = config.scrape_configs
  return stringify({
    ...config,
    global: { scrape_interval: INTERVAL, scrape_timeout: INTERVAL, evaluation_interval: INTERVAL },
    rule_files: [join(folder, 'rules.yml')],
    scrape_configs: jobs.flatMap((job) => {
      const target = targets[job.job_name]
      return target ? [jobAt(job, target)] : []
    }),
  })
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** An installed program that serves on a loopback port until it is stopped. */
export const startListening = async (
  command: string,
  args: readonly string[],
  url: string,
): Promise<{ stop(): Promise<void> }> => {
  const child = spawn(command, args, { stdio: 'ignore' })
  try {
    await until(`${command} answers`, 30_000, async () => {
      const { ok } = await fetch(url, { signal: AbortSignal.timeout(1_000) })
      return ok || undefined
    })
  } catch (error) {
    await end(child)
    throw error
  }
  return { stop: () => end(child) }
}

export const startPrometheus = async (folder: string, targets: Targets): Promise<Prometheus> => {
  const [port = 0] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}`
  mkdirSync(folder, { recursive: true })
  cpSync('infra/deploy/prometheus/rules.yml', join(folder, 'rules.yml'))
  const configFile = join(folder, 'prometheus.yml')
  const own = { prometheus: { address: `127.0.0.1:${port}` } }
  writeFileSync(configFile, configFor(folder, { ...targets, ...own }))
  const { stop } = await startListening(
    'prometheus',
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    `${url}/-/ready`,
  )
  const ask = async (expression: string): Promise<Sample[]> => {
    const response = await fetch(
      `${url}/api/v1/query?${new URLSearchParams({ query: expression })}`,
    )
    const { data, error }: Answer = JSON.parse(await response.text())
    if (!data) throw new Error(`${expression}: ${error}`)
    return data.result
  }
  return {
    query: async (expression) => (await ask(expression)).map(({ value }) => Number(value[1])),
    up: async () => (await ask('up == 1')).map(({ metric }) => metric['job'] ?? '').sort(),
    stop,
  }
}
