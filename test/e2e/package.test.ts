// Installs the package into an empty folder, without a build and without a compiler, and uses it as a user who sees Rollcall first.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runToEnd } from '../support/process/command.ts'
import {
  createRunFolder,
  getJson,
  USERS_DEMO,
  until,
  urlIn,
} from '../support/process/rollcall-process.ts'
import { computeHash, RECORDED } from '../support/proof/proof-api.ts'

type Packed = { filename: string; files: { path: string }[] }

type Listed = { proposalId: string; tally: { ballots: number | null } | null }
type Page = { items: Listed[]; page: { totalItems: number } }

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

const listOpen = async (url: string): Promise<Listed[]> =>
  (await getJson<Page>(url, '/api/proposals?status=voting_period')).items

const countBallots = async (url: string): Promise<number> =>
  (await listOpen(url)).reduce((sum, { tally }) => sum + (tally?.ballots ?? 0), 0)

/** Of another program, which has the proofs of a recording in a file. */
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { verifyProposal } from 'rollcall/proof'
import { readLightBlock } from 'rollcall/proof/light-block'
const { chainId, proposals, lightBlocks, hash } = JSON.parse(readFileSync('input.json', 'utf8'))
const before = lightBlocks.map((json) => readLightBlock(json, chainId))
for (const { id, proof } of proposals) {
  const claim = { chainId, proposalId: BigInt(id), trusted: { height: 1n, hash } }
  const { proposal, steps } = verifyProposal(proof, claim, before)
  console.log(id, proposal.status, steps.length)
}
const code = await import('rollcall/api/app.js').catch((error) => error.code)
console.log(code)
`

it('is installed by npm into an empty folder, and has what users need and nothing else', async () => {
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

  // The demo has open votes and decided proposals, and live votes arrive.
  const url = await run(['start']).untilServing()
  const open = await until('three open votes are indexed', 120_000, async () => {
    const decided = await getJson<Page>(url, '/api/proposals?status=passed,rejected,failed')
    const found = await listOpen(url)
    return found.length >= 3 && decided.page.totalItems >= 28 ? found : undefined
  })
  const home = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  for (const { proposalId } of open) expect(home).toContain(`href="/proposals/${proposalId}"`)
  const before = await countBallots(url)
  await until('more ballots', 60_000, async () =>
    (await countBallots(url)) > before + 5 ? true : undefined,
  )

  const node = run(['demo-node', '--port', '0'])
  const endpoint = await until('the demo node serves', 60_000, () => urlIn(node.stdout()))
  const doctor = run(['doctor', '--endpoint', endpoint])
  expect((await doctor.ended).code, doctor.stderr()).toBe(0)
  expect(doctor.stdout()).toContain('rollcall-demo-1')

  // Another program verifies a proposal with rollcall/proof, and cannot import other modules of Rollcall.
  const [first] = RECORDED.lightBlocks
  const input = { ...RECORDED, hash: first && computeHash(first) }
  writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  writeFileSync(join(folder, 'input.json'), JSON.stringify(input))
  const program = await runToEnd(process.execPath, ['program.mjs'], { cwd: folder })
  expect(program.stderr).toBe('')
  expect(program.stdout).toBe('1 passed 4\n2 rejected 4\nERR_PACKAGE_PATH_NOT_EXPORTED\n')
})
