// Checks the OpenAPI document with third-party linters: no errors and no warnings.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { About } from '../../api/discovery/documents.ts'
import { createOpenApi } from '../../api/discovery/openapi/document.ts'
import { describeService } from '../../auth/contract/service.ts'
import { runChecker } from '../support/suite/checkers.ts'

const PUBLIC_URL = 'https://gov.example.org'

const aboutService = (changes: Partial<About> & { baseUrl?: string } = {}): About => {
  const { baseUrl = PUBLIC_URL, ...rest } = changes
  return {
    service: describeService(baseUrl),
    version: '1.0.0',
    issuesTokens: true,
    isDemo: false,
    ...rest,
  }
}

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

describe.each([true, false])('openapi.json with tokens %s', (issuesTokens) => {
  const about = aboutService({ issuesTokens })

  it('is clean under Redocly', async () => {
    const path = await written('clean.json', createOpenApi(about))
    const { totals } = await redocly(path)
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  it('is clean under Spectral', async () => {
    const path = await written('clean.json', createOpenApi(about))
    expect(await spectral(path)).toEqual([])
  })
})

it('both linters report an invalid description', async () => {
  const api = createOpenApi(aboutService())
  const path = await written('broken.json', { ...api, tags: 'none', paths: { '/a/{b}': {} } })
  expect((await redocly(path)).totals).not.toMatchObject({ errors: 0 })
  expect(await spectral(path)).not.toEqual([])
})
