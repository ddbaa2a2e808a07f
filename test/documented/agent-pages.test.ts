// Runs every command of auth.md and of every skill unchanged, like an agent that follows these pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPage, shellBlocks } from '../support/api/shell-examples.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson, USERS_DEMO, until } from '../support/process/rollcall-process.ts'

const SKILLS = '/.well-known/agent-skills/index.json'

let url: string
let clean: () => Promise<void>

type Listed = { page: { totalItems: number } }

/** Waits for decided proposals and an open vote, which the pages use. */
const untilThereIsEnough = (base: string) =>
  until('decided and open proposals', 60_000, async () => {
    const { page } = await getJson<Listed>(base, '/api/proposals?status=passed,rejected')
    const open = await getJson<Listed>(base, '/api/proposals?status=voting_period')
    return page.totalItems > 0 && open.page.totalItems > 0 ? true : undefined
  })

beforeAll(async () => {
  const runFolder = await createDemoFolder(USERS_DEMO)
  clean = runFolder.clean
  url = await runFolder.run({ env: USERS_DEMO }).untilServing()
  await untilThereIsEnough(url)
})
afterAll(() => clean())

const pageAt = async (address: string): Promise<string> =>
  (await fetch(new URL(address, url))).text()

const runAll = async (markdown: string) => {
  const blocks = shellBlocks(markdown)
  const run = await runPage(markdown)
  expect([run.code, run.outputs.length, run.stderr]).toEqual([0, blocks.length, run.stderr])
  return run.outputs
}

describe('an agent with nothing but curl', () => {
  it('follows auth.md to a token, a read, the next token, a claim and a revocation', async () => {
    const outputs = await runAll(await pageAt('/auth.md'))
    const text = outputs.join('\n')
    expect(outputs).toHaveLength(9)
    expect(outputs[0]).toContain('"authorization_servers"')
    expect(text).toContain('"token_type":"Bearer"')
    expect(text).toContain('"error":"authorization_pending"')
    // The last command reads with a token that was revoked by the one before.
    expect(outputs.at(-1)?.trim()).toBe('401')
  })

  it('runs the commands of every skill', async () => {
    const index = await getJson<{ skills: { name: string; url: string }[] }>(url, SKILLS)
    const outputs: Record<string, readonly string[]> = {}
    for (const skill of index.skills) outputs[skill.name] = await runAll(await pageAt(skill.url))
    expect(Object.keys(outputs).sort()).toEqual([
      'follow-a-live-vote',
      'get-a-token',
      'read-pool-votes',
      'read-proposals',
    ])
    expect(outputs['read-proposals']?.[0]).toMatch(/^the newest proposal is \d+$/m)
    const [pool, record, votes, ballots] = outputs['read-pool-votes'] ?? []
    expect(pool).toMatch(/^the largest pool is wasmvaloper1\w+$/m)
    expect(JSON.parse(record ?? '').items[0]).toHaveProperty('votingPower')
    expect(JSON.parse(votes ?? '').items[0].pool.operatorAddress).toMatch(/^wasmvaloper1/)
    expect(JSON.parse(ballots ?? '').items[0]).toHaveProperty('proposalId')
    expect(outputs['follow-a-live-vote']?.[1]).toMatch(/poll 2: (?:200|304)$/m)
  })
})
