// Imports the proof verifier from the build into another program by the package name.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { runToEnd } from '../support/process/command.ts'
import { computeHash, RECORDED } from '../support/proof/recorded-proofs.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const [first] = RECORDED.lightBlocks
if (!first) throw new Error('the recording has no light block')

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

it('another program verifies a proposal with rollcall/proof, and cannot import other modules of Rollcall', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-module-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'node_modules'))
  await symlink(ROOT, join(folder, 'node_modules', 'rollcall'))
  await writeFile(join(folder, 'program.mjs'), PROGRAM)
  await writeFile(
    join(folder, 'input.json'),
    JSON.stringify({ ...RECORDED, hash: computeHash(first) }),
  )
  const { code, stdout, stderr } = await runToEnd(process.execPath, ['program.mjs'], {
    cwd: folder,
  })
  expect(stderr).toBe('')
  expect(stdout).toBe('1 passed 4\n2 rejected 4\nERR_PACKAGE_PATH_NOT_EXPORTED\n')
  expect(code).toBe(0)
})
