// Runs every command of the runbook for one machine unchanged on a running Rollcall.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shellBlocks } from '../support/api/shell-examples.ts'
import { runToEnd } from '../support/process/command.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson, USERS_DEMO, until } from '../support/process/rollcall-process.ts'

const CLI = fileURLToPath(new URL('../../dist/infra/app/cli.js', import.meta.url))
const RUNBOOK = new URL('../../infra/deploy/RUNBOOK.md', import.meta.url)

let runFolder: Awaited<ReturnType<typeof createDemoFolder>>
let ports: { api: string; operators: string }
let sections: ReadonlyMap<string, string>

/** Sections by heading, without the introduction. */
const parseSections = (page: string): ReadonlyMap<string, string> =>
  new Map(
    page.split(/^#+ /m).map((section) => {
      const [heading = '', ...rest] = section.split('\n')
      return [heading, rest.join('\n')]
    }),
  )

const commandsIn = (heading: string): string[] =>
  shellBlocks(sections.get(heading) ?? '').flatMap((block) => block.trim().split('\n'))

/** Commands in the text between backticks, without placeholders for the reader. */
const inlineCommandsIn = (heading: string): string[] =>
  [...(sections.get(heading) ?? '').matchAll(/`(rollcall [^`<]+)`/g)].map(([, each = '']) => each)

beforeAll(async () => {
  sections = parseSections(await readFile(RUNBOOK, 'utf8'))
  runFolder = await createDemoFolder(USERS_DEMO)
  await mkdir(join(runFolder.folder, 'bin'))
  const shim = `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`
  await writeFile(join(runFolder.folder, 'bin/rollcall'), shim, { mode: 0o755 })
  const rollcall = runFolder.run({ env: { ...USERS_DEMO, DEMO_BLOCK_MS: '20' } })
  const url = await rollcall.untilServing()
  const runInfo = JSON.parse(
    await readFile(join(runFolder.folder, '.rollcall/run.json'), 'utf8'),
  ) as {
    operatorsUrl: string
  }
  ports = { api: new URL(url).port, operators: new URL(runInfo.operatorsUrl).port }
  await until('most of the demo chain', 90_000, async () => {
    const health = await getJson<{ chain: { height: number } }>(url, '/api/health')
    return health.chain.height >= 500 ? true : undefined
  })
})
afterAll(() => runFolder.clean())

/** As written, except for the ports: those of the runbook may be in use. */
const run = (command: string) => {
  const here = command
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${ports.api}`)
    .replaceAll('127.0.0.1:9090', `127.0.0.1:${ports.operators}`)
  const { HOME = '', PATH = '' } = process.env
  const env = { HOME, PATH: `${runFolder.folder}/bin:${PATH}` }
  return runToEnd('bash', ['-c', here], { cwd: runFolder.folder, env })
}

const succeed = async (command: string): Promise<string> => {
  const { code, stdout, stderr } = await run(command)
  expect([command, code, stderr]).toEqual([command, 0, stderr])
  return stdout
}

describe('the runbook', { tags: 'deploy:runbook-is-tested' }, () => {
  it('shows the served data and the problems first', async () => {
    const [health = '', ready = '', doctor = '', ...rest] = commandsIn('Runbook')
    expect(rest).toEqual([])
    expect(JSON.parse(await succeed(health))).toMatchObject({
      chain: { chainId: expect.any(String) },
    })
    expect(await succeed(ready)).toContain('ready')
    expect(await succeed(doctor)).toContain('0 problems')
  })

  it('starts on a free machine, and reports a conflict on a used one', async () => {
    expect(commandsIn('Start')).toEqual(['rollcall start'])
    const { code, stderr } = await run('rollcall start')
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/is used by|uses it|in use/)
  })

  it('copies the log before an upgrade, and restores the copy', async () => {
    for (const command of commandsIn('Upgrade')) await succeed(command)
    const [restore = '', ...rest] = commandsIn('A broker is lost')
    expect(rest).toEqual([])
    expect(await succeed(restore)).toMatch(/\d/)
    expect(await succeed('DATA_DIR=restored rollcall verify')).toContain('verified')
  })

  it('rebuilds, switches, keeps the generation of valid cursors, and switches back', async () => {
    const [rebuild = '', list = '', ...rest] = commandsIn('Rebuild')
    expect(rest).toEqual([])
    await succeed(rebuild)
    expect(await succeed(list)).toMatch(/2/)
    const [back = '', drop = ''] = inlineCommandsIn('Rebuild')
    expect([back, drop]).toEqual(['rollcall rebuild --switch 1', 'rollcall rebuild --drop 2'])
    await succeed(back)
    const tooEarly = await run(drop)
    expect(tooEarly.code).not.toBe(0)
    expect(tooEarly.stderr).toMatch(/cursors/)
    for (const command of commandsIn('Disk full')) await succeed(command)
  })

  it('verifies the log', async () => {
    for (const command of commandsIn('Two lead')) await succeed(command)
  })

  it('shows missing facts and the calculation of a tally', async () => {
    const [verify = '', ...rest] = commandsIn('Facts are missing')
    expect(rest).toEqual([])
    expect(await succeed(verify)).toContain('verified')
    const [working = ''] = commandsIn('A tally differs')
    expect(await succeed(working)).toMatch(/[0-9]/)
  })

  it('has no section with commands that this test does not run', () => {
    const followed = [
      'Runbook',
      'Start',
      'Upgrade',
      'Rebuild',
      'Two lead',
      'A broker is lost',
      'Disk full',
      'Facts are missing',
      'A tally differs',
    ]
    const withCommands = [...sections].filter(([, text]) => shellBlocks(text).length > 0)
    expect(withCommands.map(([heading]) => heading).sort()).toEqual(followed.sort())
  })
})
