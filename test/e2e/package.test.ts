// Installs the package into an empty folder, without a build and without a compiler, and uses it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runToEnd } from '../support/process/command.ts'
import { createRunFolder, USERS_DEMO, until, urlIn } from '../support/process/rollcall-process.ts'

type Packed = { filename: string; files: { path: string }[] }

const INSTALL_MS = 200_000

const runNpm = async (args: readonly string[], cwd?: string) => {
  const options = { deadlineMs: INSTALL_MS, ...(cwd === undefined ? {} : { cwd }) }
  const run = await runToEnd('npm', args, options)
  if (run.code !== 0) throw new Error(`npm ${args.join(' ')}: ${run.stdout}\n${run.stderr}`)
  return run
}

/** Packs what the build has made; a second build would disturb tests that run it. */
const pack = async (folder: string): Promise<Packed> => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [packed] = JSON.parse((await runNpm(args)).stdout) as Packed[]
  if (!packed) throw new Error('npm packed nothing')
  return packed
}

const setup = async () => {
  const { folder, run, clean } = await createRunFolder()
  onTestFinished(clean)
  const packed = await pack(folder)
  // What `npm ci` has fetched is in the cache. No script of a package runs, so nothing is compiled.
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const installed = await runNpm(['install', ...options, join(folder, packed.filename)], folder)
  const command = [join(folder, 'node_modules', '.bin', 'rollcall')] as const
  return {
    folder,
    packed,
    installed,
    run: (args: string[]) => run({ command, args, env: USERS_DEMO }),
  }
}

it('is installed by npm into an empty folder, serves the demo chain and checks an endpoint', async () => {
  const { folder, packed, installed, run } = await setup()
  const paths = packed.files.map(({ path }) => path)
  expect(paths.filter((path) => /\.ts$|(?:^|\/)test\//.test(path))).toEqual([])
  const recordings = paths.filter((path) => path.endsWith('/recording/manifest.json'))
  expect(recordings).toEqual(['dist/infra/app/demo/recording/manifest.json'])
  for (const path of ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', '.env.example']) {
    expect(paths).toContain(path)
  }
  expect(installed.stderr).not.toContain('EBADENGINE')
  const modules = readdirSync(join(folder, 'node_modules'))
  for (const name of ['esbuild', 'typescript', 'typebox']) expect(modules).not.toContain(name)

  const url = await run(['start']).untilServing()
  await until('the home page has proposals', 60_000, async () => {
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    return page.ok && (await page.text()).includes('href="/proposals/') ? true : undefined
  })

  const node = run(['demo-node', '--port', '0'])
  const endpoint = await until('the demo node serves', 60_000, () => urlIn(node.stdout()))
  const doctor = run(['doctor', '--endpoint', endpoint])
  expect((await doctor.ended).code, doctor.stderr()).toBe(0)
  expect(doctor.stdout()).toContain('rollcall-demo-1')
})
