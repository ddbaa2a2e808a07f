// Starts the product as in its README, uses it, and stops it in different ways.
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findFreePorts } from '../devnet/ports.ts'
import { startRegistry } from '../support/endpoint/simulated-registry.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { createRunFolder, getJson, until } from '../support/process/rollcall-process.ts'

type Health = { status: string; chain: { chainId: string; height: number } | null; tip: number }
type Page<Item> = { items: Item[]; page: { totalItems: number } }
type Proposal = { proposalId: string; votes: Page<object> }

const setup = async (createFolder = createRunFolder) => {
  const runFolder = await createFolder()
  onTestFinished(runFolder.clean)
  return { ...runFolder, dataDir: join(runFolder.folder, '.rollcall') }
}

/** Not the first start: the demo chain is already indexed. */
const setupIndexed = () => setup(createDemoFolder)

const untilCaughtUp = (url: string): Promise<Health> =>
  until('caught up with the demo chain', 120_000, async () => {
    const health = await getJson<Health>(url, '/api/health')
    return health.chain && health.tip - health.chain.height < 5 ? health : undefined
  })

const readHeight = async (url: string): Promise<number> =>
  (await getJson<Health>(url, '/api/health')).chain?.height ?? 0

const listenAnywhere = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

describe('rollcall start', () => {
  it('serves the demo chain from an empty folder, and Ctrl-C ends all of it within 5 s', {
    tags: ['rollcall:starts-alone', 'infra:quick-stop'],
  }, async () => {
    const { run, dataDir } = await setup()
    const rollcall = run({ env: { LOG_LEVEL: 'info' } })
    const url = await rollcall.untilServing()
    const { chain } = await untilCaughtUp(url)
    expect(chain?.height).toBeGreaterThan(10)
    expect(rollcall.stderr()).toMatch(/"resumed":false.*started ingest/)

    const proposals = await getJson<Page<Proposal>>(url, '/api/proposals')
    expect(proposals.page.totalItems).toBeGreaterThanOrEqual(12)
    const oldest = await getJson<Proposal>(url, '/api/proposals/1')
    expect(oldest.proposalId).toBe('1')
    const votes = await getJson<Page<object>>(url, '/api/proposals/1/votes')
    expect(votes.items).toEqual(oldest.votes.items)
    expect(votes.items.length).toBeGreaterThan(0)
    expect(rollcall.processes().length).toBe(4)
    expect(statSync(join(dataDir, 'run.json')).mode & 0o777).toBe(0o600)

    const isQuiet = (loadavg()[0] ?? 0) < availableParallelism()
    const startedMs = performance.now()
    rollcall.signal('SIGINT', { group: true })
    const { code } = await rollcall.ended
    expect(code).toBe(0)
    // The product gives up at its limits, so that a quiet machine ends in time; a busy one proves nothing about it.
    if (isQuiet) expect(performance.now() - startedMs).toBeLessThan(5_000)
    await rollcall.untilNoneLeft(100)
    expect(existsSync(join(dataDir, 'run.json'))).toBe(false)
    expect(rollcall.stdout().match(/https?:\/\//g)).toHaveLength(1)
    expect(rollcall.stderr()).not.toMatch(/"level":"(?:error|fatal)"/)
  })

  it('serves a chain by its entry in the registry, with endpoints that it chose and keeps', {
    tags: ['infra:endpoints-are-chosen'],
  }, async () => {
    const { run, folder, dataDir } = await setup()
    const registry = await startRegistry(folder, {
      Dead: 'dead',
      Liar: 'lying',
      Alpha: 'archive',
      Beta: 'archive',
    })
    onTestFinished(registry.close)
    const rollcall = run({ args: ['start', registry.file] })
    const url = await rollcall.untilServing()
    const page = await fetch(new URL('/proposals', url), { headers: { accept: 'text/markdown' } })
    expect(await page.text()).toMatch(/Proposal 849.*\n.*Proposal 848[\s\S]*cosmoshub-4.*ATOM/)
    const chosen = readFileSync(join(dataDir, 'chain.json'), 'utf8')
    expect(chosen).toContain(registry.endpoints.get('Alpha')?.url)
    expect(rollcall.stdout()).toMatch(/2 of 4 endpoints .* are usable\nEndpoints: .*\nKept in /)
    rollcall.signal('SIGINT', { group: true })
    await rollcall.ended

    // Without a name it follows the same chain.
    const again = run()
    await again.untilServing()
    expect(again.stdout()).toMatch(/^Endpoints: .*, as before\nRollcall serves cosmoshub-4/)
  })

  it('leaves no process after a kill, starts again at once with the same ports, and resumes', async () => {
    const { run } = await setupIndexed()
    const [port, operatorsPort] = await findFreePorts(2)
    const env = { PORT: String(port), OPERATORS_PORT: String(operatorsPort) }
    const killed = run({ env })
    const { chain } = await untilCaughtUp(await killed.untilServing())
    expect(killed.processes().length).toBe(4)
    killed.signal('SIGKILL')

    const again = run({ env: { ...env, LOG_LEVEL: 'info' } })
    await killed.untilNoneLeft(60_000)
    const url = await again.untilServing()
    const servedHeight = await readHeight(url)
    expect(servedHeight).toBeGreaterThanOrEqual(chain?.height ?? Number.NaN)
    await until('a height more', 60_000, async () =>
      (await readHeight(url)) > servedHeight ? true : undefined,
    )
    expect(again.stderr()).toMatch(/"resumed":true.*started ingest/)
  })

  it('restarts a child that crashes, and continues to index', {
    tags: 'infra:children-are-restarted',
  }, async () => {
    const { run, folder } = await setupIndexed()
    const rollcall = run()
    const url = await rollcall.untilServing()
    await untilCaughtUp(url)
    for (const part of ['writer', 'reader', 'engine-process']) {
      const pid = rollcall
        .processes()
        .find((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(part))
      expect(pid, `${part} of ${folder}`).toBeDefined()
      const before = await readHeight(url)
      process.kill(pid ?? Number.NaN, 'SIGKILL')
      let failures = 0
      await until(`new heights after ${part} crashed`, 40_000, async () => {
        failures += 1
        const height = await readHeight(url)
        failures -= 1
        return height > before + 2 ? true : undefined
      })
      if (part !== 'reader') expect([part, failures]).toEqual([part, 0])
    }
    expect(rollcall.processes().length).toBe(4)
  })

  it('names every wrong setting of every service at once, and changes nothing', {
    tags: 'infra:wrong-settings',
  }, async () => {
    const { run, folder } = await setup()
    const wrong = {
      CHAIN_RPC_URLS: 'ftp://node.example',
      START_HEIGHT: 'yesterday',
      REGISTRATIONS_PER_MINUTE: 'many',
      PORT: '99999',
      OPERATORS_PORT: '-1',
      LOG_LEVEL: 'loud',
    }
    const rollcall = run({ env: wrong })
    expect((await rollcall.ended).code).toBe(78)
    for (const [name, value] of Object.entries(wrong)) {
      const line = rollcall
        .stderr()
        .split('\n')
        .filter((each) => each.includes(`- ${name}:`))
      expect(line, name).toHaveLength(1)
      expect(line[0]).toContain(JSON.stringify(value))
      expect(line[0]).toContain('expected')
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('names every port in use at once, before anything starts', async () => {
    const { run } = await setup()
    const taken = await Promise.all([listenAnywhere(), listenAnywhere()])
    const [port = '', operatorsPort = ''] = taken
    const rollcall = run({ env: { PORT: port, OPERATORS_PORT: operatorsPort } })
    expect((await rollcall.ended).code).toBe(78)
    expect(rollcall.stderr()).toMatch(new RegExp(`- PORT: .*:${port} is in use`))
    expect(rollcall.stderr()).toMatch(new RegExp(`- OPERATORS_PORT: .*:${operatorsPort} is in use`))
    expect(rollcall.stdout()).toBe('')
  })

  it('rejects a damaged data directory, and names the file', async () => {
    const { run, dataDir } = await setupIndexed()
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    const log = join(dataDir, files.find((path) => path.endsWith('log.db')) ?? '')
    truncateSync(log, Math.floor(statSync(log).size / 2))
    const rollcall = run()
    expect((await rollcall.ended).code).toBe(65)
    expect(rollcall.stderr()).toContain(log)
  })

  it('prints its help in ten lines and its settings, and rejects an unknown command', async () => {
    const { run } = await setup()
    const help = run({ args: ['--help'] })
    expect((await help.ended).code).toBe(0)
    expect(help.stdout().trimEnd().split('\n')).toHaveLength(10)
    for (const name of ['settings', 'commands']) {
      const list = run({ args: [name] })
      expect((await list.ended).code).toBe(0)
      expect(list.stdout()).toMatch(/CHAIN_RPC_URLS|rollcall keys rotate/)
    }
    const version = run({ args: ['--version'] })
    await version.ended
    expect(version.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/)
    const wrong = run({ args: ['strat'] })
    expect((await wrong.ended).code).toBe(64)
    expect(wrong.stderr()).toMatch(/unknown command "strat".*start/)
  })
})
