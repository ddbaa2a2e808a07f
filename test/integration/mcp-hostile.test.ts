// Tests of the MCP server with random invalid messages, from a seed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOOL_NAMES } from '../../api/mcp/tools.ts'
import { PROBLEMS } from '../../api/problem.ts'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { hostileWord } from '../support/api/hostile-texts.ts'
import { createMcpRig, ENVELOPE } from '../support/api/mcp-rig.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const SEED = 20_251_125
const RUNS = 1_500

const REVISION = 'io.modelcontextprotocol/protocolVersion'
const METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'initialize',
  'ping',
  'nothing',
]
const NAMES = [
  ...TOOL_NAMES,
  'how_did_pool_vote',
  'explain_proposal',
  'proposalId',
  'pool',
  'page',
  'q',
  'status',
  'cursor',
  'round',
  'operatorAddress',
  'name',
  'uri',
  'ref',
  'type',
  'ref/resource',
  'ref/prompt',
  'argument',
  'value',
  'arguments',
  'protocolVersion',
  '__proto__',
  'toString',
  `proposals://${OPEN_VOTE}`,
  'proposals://{proposalId}',
  'proposals://%00/votes?page=1',
  '',
]

const word = hostileWord(NAMES, 40)
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant('45'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(word, tie('value'), { maxKeys: 5 }),
  ),
})).value
const named = fc.record(
  {
    name: fc.constantFrom(...NAMES),
    arguments: fc.oneof(
      anything,
      fc.dictionary(fc.constantFrom(...NAMES), anything, { maxKeys: 3 }),
    ),
    uri: word,
    ref: fc.record({ type: word, name: word, uri: word }),
    argument: fc.record({ name: word, value: word }),
    cursor: anything,
    _meta: anything,
    task: anything,
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer(), word),
    method: fc.oneof(fc.constantFrom(...METHODS), word),
    params: fc.oneof(named, anything),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)
/** Of revision 2026-07-28, usually with a valid envelope. */
const stateless = fc.record({
  method: fc.constantFrom(...METHODS, 'server/discover', 'subscriptions/listen'),
  params: named,
  envelope: fc.oneof(
    { weight: 6, arbitrary: fc.constant(ENVELOPE) },
    fc.record({ [REVISION]: fc.oneof(fc.constant(ENVELOPE[REVISION]), anything) }),
  ),
  without: fc.subarray(['mcp-method', 'mcp-name'], { maxLength: 1 }),
})
const body = fc.oneof(
  { weight: 8, arbitrary: message },
  anything,
  fc.array(message, { maxLength: 3 }),
)

/** Responses that would be a fault of Rollcall. */
const isFault = (answer: { error?: { code: number } }): boolean =>
  answer.error?.code === -32603 || JSON.stringify(answer).includes(PROBLEMS['internal-error'].title)

describe('random invalid MCP messages', () => {
  it('are all refused or answered, without an internal error', async () => {
    const { post, call } = await createMcpRig(testStore.store, { rateLimitPerMinute: 1_000_000 })
    const seen = new Set<number>()
    const run = fc.asyncProperty(body, async (sent) => {
      const { status, text } = await post(JSON.stringify(sent) ?? '')
      seen.add(status)
      expect([200, 202, 400]).toContain(status)
      const answers = text === '' ? [] : [JSON.parse(text)].flat()
      expect(answers.filter(isFault)).toEqual([])
    })
    await fc.assert(run, { seed: SEED, numRuns: RUNS })
    expect([...seen].sort()).toEqual([200, 202, 400])
    expect((await call('list_proposals')).isError).toBeUndefined()
  })

  it('of revision 2026-07-28 are all refused or answered, without an internal error', async () => {
    const { postStateless } = await createMcpRig(testStore.store, { rateLimitPerMinute: 1_000_000 })
    const seen = new Set<number>()
    const run = fc.asyncProperty(stateless, async ({ method, params, envelope, without }) => {
      const parameters = { ...params, _meta: envelope }
      const { status, text } = await postStateless(method, parameters, { without })
      seen.add(status)
      expect([200, 400, 404]).toContain(status)
      if (!text.startsWith('event:')) expect(isFault(JSON.parse(text))).toBe(false)
    })
    await fc.assert(run, { seed: SEED, numRuns: RUNS })
    expect([...seen].sort()).toEqual([200, 400, 404])
  })
})
