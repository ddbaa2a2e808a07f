// Checks the OpenAPI document with third-party linters: no errors and no warnings.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createOpenApi } from '../../api/discovery/openapi/document.ts'
import { describeService } from '../../auth/contract/service.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { runChecker } from '../support/suite/checkers.ts'

const PUBLIC_URL = 'https://gov.example.org'

const describeApi = (issuesTokens: boolean) =>
  createOpenApi({
    service: describeService(PUBLIC_URL),
    version: '1.0.0',
    issuesTokens,
    isDemo: false,
  })

const { path: folder, remove } = createTemporaryDirectory('openapi')
afterAll(remove)
const rules = join(folder, 'rules.yaml')
writeFileSync(rules, 'extends: ["spectral:oas"]\n')

const written = (name: string, document: object): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(document))
  return path
}

const redocly = async (path: string): Promise<{ totals: object }> => {
  const { stdout, stderr } = await runChecker('redocly', ['lint', path, '--format=json'])
  expect(stdout, stderr).toContain('"totals"')
  return JSON.parse(stdout.slice(stdout.indexOf('{')))
}

const spectral = async (path: string): Promise<unknown[]> => {
  const args = ['lint', path, '--ruleset', rules, '--format', 'json', '--quiet']
  const { stdout } = await runChecker('spectral', args)
  return JSON.parse(stdout)
}

it.each([true, false])(
  'openapi.json with tokens %s is clean under Redocly and Spectral',
  async (issuesTokens) => {
    const path = written('clean.json', describeApi(issuesTokens))
    const { totals } = await redocly(path)
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
    expect(await spectral(path)).toEqual([])
  },
)

it('both linters report an invalid description', async () => {
  const broken = { ...describeApi(true), tags: 'none', paths: { '/a/{b}': {} } }
  const path = written('broken.json', broken)
  expect((await redocly(path)).totals).not.toMatchObject({ errors: 0 })
  expect(await spectral(path)).not.toEqual([])
})
