// Runs the official MCP conformance suite and inspector against the started product.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOOL_NAMES } from '../../api/mcp/tools.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { runChecker } from '../support/suite/checkers.ts'
import { EXPECTED, EXPECTED_FAILURES } from './mcp-expectations.ts'

let folder: Awaited<ReturnType<typeof createDemoFolder>>
let url: string
beforeAll(async () => {
  folder = await createDemoFolder()
  url = await folder.run().untilServing()
})
afterAll(() => folder.clean())

type Check = { id: string; status: string; errorMessage?: string }

/** The results of the suite by scenario. */
const runSuite = async (revision: string): Promise<ReadonlyMap<string, Check[]>> => {
  const output = join(folder.folder, `conformance-${revision}`)
  const target = ['--url', `${url}/mcp`, '--requirements', revision, '--output-dir', output]
  await runChecker('conformance', ['server', ...target])
  const found = new Map<string, Check[]>()
  for (const name of await readdir(output)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name
    const text = await readFile(join(output, name, 'checks.json'), 'utf8')
    found.set(scenario, JSON.parse(text) as Check[])
  }
  return found
}

/** Required scenarios and optional ones. */
const listScenarios = async (revision: string): Promise<string[]> => {
  const { stdout } = await runChecker('conformance', ['list', '--requirements', revision])
  const required = stdout.slice(stdout.indexOf('Server scenarios'), stdout.indexOf('Client scen'))
  const others = stdout.matchAll(/^ +- ([\w-]+) \[server\]$/gm)
  return [...required.matchAll(/^ +- ([\w-]+)$/gm), ...others].map(([, name = '']) => name)
}

/** Every scenario has it: the messages match the schema of the revision. */
const FORM = 'wire-schema-valid'

describe('the conformance suite', () => {
  it.each(Object.entries(EXPECTED))(
    'passes for %s except for scenarios that need its own fixtures, each with a documented reason',
    async (revision, { passes, undecided }) => {
      const [found, scenarios] = await Promise.all([runSuite(revision), listScenarios(revision)])
      expect(scenarios.length).toBeGreaterThan(30)
      expect([...found.keys()].sort()).toEqual(scenarios.sort())
      const passed: string[] = []
      for (const [scenario, checks] of found) {
        const failures = checks.filter(({ status }) => status === 'FAILURE')
        const messages = failures.map(({ errorMessage = '' }) => errorMessage)
        const isExpected = (message: string) => EXPECTED_FAILURES.some((each) => each.test(message))
        expect([scenario, messages.filter((each) => !isExpected(each))]).toEqual([scenario, []])
        if (messages.length > 0) continue
        if (checks.some(({ id, status }) => status === 'SUCCESS' && id !== FORM)) {
          passed.push(scenario)
        } else expect(undecided).toContain(scenario)
      }
      expect(passed.sort()).toEqual([...passes].sort())
    },
  )
})

describe('the inspector', () => {
  const inspect = async (method: string, ...more: string[]) => {
    const target = ['--cli', `${url}/mcp`, '--transport', 'http', '--format', 'json']
    const { code, stdout, stderr } = await runChecker(
      'mcp-inspector',
      [...target, '--method', method, ...more],
      { env: { ...process.env, HOME: folder.folder } },
    )
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/i)])
    const printed = JSON.parse(stdout)
    return printed.result ?? printed
  }
  const call = (name: string, args: object) =>
    inspect('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))

  it('completes a session, and accepts the schemas of the tools as portable', async () => {
    const { tools } = await inspect('tools/list', '--strict')
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([...TOOL_NAMES])
    const { structuredContent } = await call('list_proposals', { q: 'quorum' })
    const [{ proposalId }] = structuredContent.items
    const { resources } = await inspect('resources/list')
    const uri = `proposals://${proposalId}`
    expect(resources.map((each: { uri: string }) => each.uri)).toContain(uri)
    const { contents } = await inspect('resources/read', '--uri', uri)
    expect(JSON.parse(contents[0].text).proposalId).toBe(proposalId)
  })
})
