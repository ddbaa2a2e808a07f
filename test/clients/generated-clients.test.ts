// Generates clients from /openapi.json with common generators, compiles them strictly, and decodes every list and proposal.

import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LISTS } from '../../api/resources/operations.ts'
import { TYPESCRIPT_FILES } from '../support/clients/typescript-program.ts'
import { type CommandRun, runWell } from '../support/process/command.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson } from '../support/process/rollcall-process.ts'
import { installLocked } from '../support/suite/checkers.ts'

const TOOLS = fileURLToPath(new URL('../tools/clients/', import.meta.url))

/** The path of an executable of the lockfile. */
const executable = (name: string): string => join(TOOLS, 'node_modules', '.bin', name)

/** Makes the packages of the lockfile available to the sources in a folder. */
const linkPackages = async (folder: string): Promise<void> => {
  const link = join(folder, 'node_modules')
  if (!existsSync(link)) await symlink(join(TOOLS, 'node_modules'), link)
}

/** Runs an executable of the lockfile in a folder. */
const runGenerator = (name: string, args: readonly string[], folder: string): Promise<CommandRun> =>
  runWell(process.execPath, [executable(name), ...args], { cwd: folder, deadlineMs: 180_000 })

type ApiRequest = { operationId: string; path: string }

type Operation = {
  operationId: string
  responses: { 200: { content: Record<string, unknown> } }
}
type Description = { paths: Record<string, { get: Operation }> }

type Page = { items: Readonly<Record<string, unknown>>[] }

/** The voters of one vote are enough. */
const MAX_VOTERS = 20

const listValues = async (url: string, path: string, member: string): Promise<string[]> => {
  const { items } = await getJson<Page>(url, path)
  return items.map((item) => `${item[member]}`)
}

/** The values of the path parameters: a walk over all proposals, pools and light blocks. */
const readPathValues = async (url: string): Promise<Record<string, string[]>> => {
  const pages = await Promise.all(
    [0, 1].map((page) => listValues(url, `/api/proposals?page=${page}`, 'proposalId')),
  )
  const proposalId = pages.flat()
  const voters = await listValues(url, `/api/proposals/${proposalId.at(-1)}/ballots`, 'voter')
  return {
    proposalId,
    operatorAddress: await listValues(url, '/api/pools', 'operatorAddress'),
    address: voters.slice(0, MAX_VOTERS),
    height: await listValues(url, '/api/light-blocks', 'height'),
    hash: [...new Set(await listValues(url, '/api/light-blocks', 'validatorsHash'))],
  }
}

/** One path for each value of the only parameter in it. None for an operation with several of them. */
const listPaths = (template: string, values: Readonly<Record<string, string[]>>): string[] => {
  const [parameter, ...others] = [...template.matchAll(/\{(\w+)\}/g)]
  if (parameter === undefined) return [template]
  if (others.length > 0) return []
  const [inBraces, name = ''] = parameter
  return (values[name] ?? []).map((value) => template.replace(inBraces, encodeURIComponent(value)))
}

/** Only requests that are answered with 200: a proposal without a tally has no proof. */
const listRequests = async (url: string, api: Description): Promise<ApiRequest[]> => {
  const values = await readPathValues(url)
  const requests: ApiRequest[] = []
  for (const [template, { get }] of Object.entries(api.paths)) {
    const { operationId, responses } = get
    if (!('application/json' in responses[200].content)) continue
    for (const path of listPaths(template, values)) {
      if ((await fetch(url + path)).status === 200) requests.push({ operationId, path })
    }
  }
  return requests
}

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
  await installLocked(TOOLS)
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
