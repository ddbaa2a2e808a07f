// MCP as those see it who wrote the protocol: their conformance suite and their inspector against the started product.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MCP_TOOLS } from '../../api/mcp/identity.ts'
import { createRunFolder } from '../support/process/rollcall-process.ts'
import { runChecker } from '../support/suite/checkers.ts'
import { FIXTURE_SCENARIOS, STREAM_SCENARIOS } from './mcp-fixture-scenarios.ts'

let folder: Awaited<ReturnType<typeof createRunFolder>>
let url: string
beforeAll(async () => {
  folder = await createRunFolder()
  url = await folder.run().untilServing()
})
afterAll(() => folder.clean())

type Check = { status: string; errorMessage?: string }

/** What the suite found, by scenario. */
const runSuite = async (): Promise<ReadonlyMap<string, Check[]>> => {
  const output = join(folder.folder, 'conformance')
  const target = ['--url', `${url}/mcp`, '--suite', 'all', '--output-dir', output]
  await runChecker('conformance', ['server', ...target])
  const found = new Map<string, Check[]>()
  for (const name of await readdir(output)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name
    const text = await readFile(join(output, name, 'checks.json'), 'utf8')
    found.set(scenario, JSON.parse(text) as Check[])
  }
  return found
}

const listScenarios = async (): Promise<string[]> => {
  const { stdout } = await runChecker('conformance', ['list', '--server'])
  return [...stdout.matchAll(/^ +- ([\w-]+)/gm)].map(([, name = '']) => name)
}

describe('the conformance suite', () => {
  it('passes but for what needs its own fixtures, each for the reason that is written down', async () => {
    const [found, scenarios] = await Promise.all([runSuite(), listScenarios()])
    expect(scenarios.length).toBeGreaterThan(30)
    expect([...found.keys()].sort()).toEqual(scenarios.sort())
    const listed = [...Object.keys(FIXTURE_SCENARIOS), ...STREAM_SCENARIOS]
    expect(listed.filter((name) => !found.has(name))).toEqual([])
    const passed: string[] = []
    for (const [scenario, checks] of found) {
      const failures = checks.filter(({ status }) => status === 'FAILURE')
      const reason = FIXTURE_SCENARIOS[scenario]
      const told = failures.map(({ errorMessage = '' }) => errorMessage)
      if (reason) {
        expect(told, `${scenario} is listed and passes`).not.toEqual([])
        for (const message of told) expect(message, scenario).toMatch(reason.says)
        continue
      }
      expect(told, scenario).toEqual([])
      if (checks.some(({ status }) => status === 'SUCCESS')) passed.push(scenario)
      else expect(STREAM_SCENARIOS).toContain(scenario)
    }
    expect(passed.sort()).toEqual([
      ...['dns-rebinding-protection', 'ping', 'prompts-list', 'resources-list'],
      ...['server-initialize', 'tools-list'],
    ])
  })
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

  it('completes a session, and finds the schemas of the tools portable', async () => {
    const { tools } = await inspect('tools/list', '--strict')
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([...MCP_TOOLS])
    const { structuredContent } = await call('list_proposals', { q: 'quorum' })
    const [{ proposalId }] = structuredContent.items
    const votes = await call('list_proposal_votes', { proposalId })
    const [{ pool }] = votes.structuredContent.items
    const record = await call('list_pool_votes', { operatorAddress: pool.operatorAddress })
    const ids = record.structuredContent.items.map(
      (item: { proposalId: string }) => item.proposalId,
    )
    expect(ids).toContain(proposalId)
    const { resources } = await inspect('resources/list')
    const uri = `proposals://${proposalId}`
    expect(resources.map((each: { uri: string }) => each.uri)).toContain(uri)
    const { contents } = await inspect('resources/read', '--uri', uri)
    expect(JSON.parse(contents[0].text).proposalId).toBe(proposalId)
    expect((await inspect('resources/templates/list')).resourceTemplates).toHaveLength(2)
    expect((await inspect('prompts/list')).prompts).toHaveLength(2)
    const asked = ['--prompt-name', 'how_did_pool_vote', '--prompt-args', `pool=${pool.moniker}`]
    const { messages } = await inspect('prompts/get', ...asked)
    expect(messages[0].content.text).toContain(pool.operatorAddress)
  })
})
