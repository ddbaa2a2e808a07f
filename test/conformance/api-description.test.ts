// Checks the OpenAPI document with third-party linters: no errors and no warnings.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOpenApi } from '../../api/discovery/openapi/document.ts'
import { describeService } from '../../auth/contract/service.ts'
import { runChecker } from '../support/suite/checkers.ts'

const PUBLIC_URL = 'https://gov.example.org'

const describeApi = (issuesTokens: boolean) =>
  createOpenApi({
    service: describeService(PUBLIC_URL),
    version: '1.0.0',
    issuesTokens,
    isDemo: false,
  })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-openapi-'))
  const rules = 'extends: ["spectral:oas"]\n'
  await writeFile(join(folder, 'rules.yaml'), rules)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const written = async (name: string, document: object): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(document))
  return path
}

const redocly = async (path: string): Promise<{ totals: object }> => {
  const { stdout, stderr } = await runChecker('redocly', ['lint', path, '--format=json'])
  expect(stdout, stderr).toContain('"totals"')
  return JSON.parse(stdout.slice(stdout.indexOf('{')))
}

const spectral = async (path: string): Promise<unknown[]> => {
  const rules = join(folder, 'rules.yaml')
  const args = ['lint', path, '--ruleset', rules, '--format', 'json', '--quiet']
  const { stdout } = await runChecker('spectral', args)
  return JSON.parse(stdout)
}

it.each([true, false])(
  'openapi.json with tokens %s is clean under Redocly and Spectral',
  async (issuesTokens) => {
    const path = await written('clean.json', describeApi(issuesTokens))
    const { totals } = await redocly(path)
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
    expect(await spectral(path)).toEqual([])
  },
)

it('both linters report an invalid description', async () => {
  const broken = { ...describeApi(true), tags: 'none', paths: { '/a/{b}': {} } }
  const path = await written('broken.json', broken)
  expect((await redocly(path)).totals).not.toMatchObject({ errors: 0 })
  expect(await spectral(path)).not.toEqual([])
})
