// Generates clients from /openapi.json with common generators, compiles them strictly, and decodes every list and proposal.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LISTS } from '../../api/resources/operations.ts'
import { type ApiRequest, type Description, listRequests } from '../support/clients/api-requests.ts'
import {
  installGenerators,
  linkPackages,
  runGenerator,
  runWell,
} from '../support/clients/generators.ts'
import { TYPESCRIPT_FILES } from '../support/clients/typescript-program.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson } from '../support/process/rollcall-process.ts'

const INSTALL_MS = 900_000
/** Proposals of the demo chain at its start. */
const LEAST_PROPOSALS = 20

let url: string
let folder: string
let description: string
let requestFile: string
let requests: ApiRequest[]
let clean: () => Promise<void>

beforeAll(async () => {
  await installGenerators()
  const demo = await createDemoFolder()
  ;({ folder, clean } = demo)
  const env = { RATE_LIMIT_PER_MINUTE: '1000000000', DEMO_BLOCK_MS: '60000' }
  url = await demo.run({ env }).untilServing()
  const api = await getJson<Description>(url, '/openapi.json')
  requests = await listRequests(url, api)
  description = join(folder, 'openapi.json')
  requestFile = join(folder, 'requests.json')
  await writeFile(description, JSON.stringify(api))
  await writeFile(requestFile, JSON.stringify(requests))
}, INSTALL_MS)
afterAll(() => clean?.())

const createFolder = async (name: string): Promise<string> => {
  const path = join(folder, name)
  await mkdir(path)
  return path
}

type Decoded = { decoded: number; failures: string[] }

const expectAllDecoded = ({ decoded, failures }: Decoded): void => {
  expect(failures).toEqual([])
  expect(decoded).toBe(requests.length)
}

describe('generated clients', {
  tags: 'api:clients-can-be-generated',
}, () => {
  it('are tried with every list and every proposal', () => {
    const counts = new Map<string, number>()
    for (const { operationId } of requests) {
      counts.set(operationId, (counts.get(operationId) ?? 0) + 1)
    }
    expect(LISTS.filter(({ operationId }) => !counts.has(operationId))).toEqual([])
    for (const name of ['getProposal', 'listProposalVotes', 'listProposalEvidence']) {
      expect(counts.get(name)).toBeGreaterThanOrEqual(LEAST_PROPOSALS)
    }
  })

  it('of openapi-typescript, hey-api and orval compile strictly and agree; the validators of orval accept every answer', async () => {
    const path = await createFolder('typescript')
    await linkPackages(path)
    const write = (name: string, text: string) => writeFile(join(path, name), text)
    for (const [name, text] of Object.entries(TYPESCRIPT_FILES)) await write(name, text)
    const orval = (target: string, output: object) => ({
      input: description,
      output: { target: join(path, target), ...output },
    })
    const config = {
      fetch: orval('orval.ts', { client: 'fetch', baseUrl: url }),
      zod: orval('zod.ts', { client: 'zod' }),
    }
    await write('orval.config.cjs', `module.exports = ${JSON.stringify(config)}\n`)
    await runGenerator('openapi-typescript', [description, '-o', 'schema.d.ts'], path)
    await runGenerator(
      'openapi-ts',
      ['-i', description, '-o', 'hey', '-c', '@hey-api/client-fetch'],
      path,
    )
    await runGenerator('orval', ['--config', 'orval.config.cjs'], path)
    await runGenerator('tsc', ['-p', '.'], path)
    const program = join(path, 'decode.mjs')
    const entry = join(path, 'decode.ts')
    await build({
      entryPoints: [entry],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    })
    const { stdout } = await runWell(process.execPath, [program, url, requestFile], { cwd: path })
    const { firstOptions, ...decoded } = JSON.parse(stdout) as Decoded & {
      firstOptions: string[][]
    }
    expectAllDecoded(decoded)
    const [ids = [], ...others] = firstOptions
    expect(ids.length).toBeGreaterThan(5)
    expect(others.slice(0, 2)).toEqual([ids, ids])
    const options = others.slice(2)
    expect(options).toHaveLength(ids.length)
    for (const [one, other, third] of options) expect([other, third]).toEqual([one, one])
  })
})
