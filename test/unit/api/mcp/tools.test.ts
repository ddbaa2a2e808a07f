// Tests of the tool definitions: schemas that every validator accepts, and parsed arguments.
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { encode as encodeOlder } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../../../api/mcp/arguments.ts'
import { describeInstructions } from '../../../../api/mcp/mcp.ts'
import { TOOL_NAMES, TOOLS, type Tool } from '../../../../api/mcp/tools.ts'

/** Clients and prompts of others have them. */
const NAMES = [
  'list_proposals',
  'get_proposal',
  'list_proposal_votes',
  'list_proposal_deposits',
  'get_proposal_proof',
  'list_pool_votes',
  'list_pools',
  'list_voter_votes',
  'get_service_status',
  'search',
  'fetch',
]

const setup = () => formats.default(new Ajv2020({ strict: true, allowUnionTypes: true }))

const findTool = (name: Tool['name']): Tool => {
  const found = TOOLS.find((tool) => tool.name === name)
  if (!found) throw new Error(`no tool ${name}`)
  return found
}

describe('the tools', () => {
  it('keep their names, which are unique', () => {
    expect(TOOL_NAMES).toEqual(expect.arrayContaining(NAMES))
    expect(new Set(TOOL_NAMES).size).toBe(TOOL_NAMES.length)
    for (const name of TOOL_NAMES) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/)
  })

  it('cost an assistant at most 4,500 tokens as a list, and its instructions 2,000 characters', () => {
    const tools = TOOLS.map(
      ({ name, title, description, inputSchema, outputSchema, annotations }) => ({
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        annotations,
      }),
    )
    const json = JSON.stringify({ tools })
    expect(json).toContain('get_service_status')
    for (const count of [encode(json).length, encodeOlder(json).length]) {
      expect(count).toBeLessThanOrEqual(4_500)
    }
    const instructions = describeInstructions('https://governance.example.org', 1_200, true)
    expect(instructions.length).toBeLessThanOrEqual(2_000)
  })

  it('have complete object schemas in JSON Schema 2020-12, as plain data', () => {
    for (const { inputSchema, outputSchema } of TOOLS) {
      for (const schema of [inputSchema, outputSchema]) {
        const ajv = setup()
        const plain = JSON.parse(JSON.stringify(schema))
        expect(plain.type).toBe('object')
        expect(ajv.validateSchema(plain), ajv.errorsText()).toBe(true)
        expect(() => ajv.compile(plain)).not.toThrow()
      }
      expect(inputSchema).toMatchObject({ additionalProperties: false })
      for (const property of Object.values(inputSchema.properties)) {
        expect((property as { description?: string }).description).toMatch(/\w{4}/)
      }
    }
  })

  it('accept the same arguments by their schema as when called, apart from other forms of a value', () => {
    const given = [
      {},
      { page: 0 },
      { page: -1 },
      { page: 1.5 },
      { q: 'x' },
      { page: 2 ** 31 - 1 },
      { page: 2 ** 31 },
      { status: ['passed', 'failed'] },
      { status: ['x'] },
      { cursor: 'abc' },
      { limit: 5 },
      { limit: 0 },
      { limit: 101 },
      { proposalId: '1' },
      { proposalId: '1', round: 0 },
      { proposalId: 'x' },
      { proposalId: '1', round: 1, cursor: 'a' },
      { operatorAddress: 'a' },
      { toString: 1 },
      { proposer: 'cosmos1x' },
      { query: 'x' },
      { id: 'proposal:1' },
      { id: 'x'.repeat(501) },
      JSON.parse('{"__proto__":{"page":0}}'),
    ]
    for (const tool of TOOLS) {
      const check = setup().compile(JSON.parse(JSON.stringify(tool.inputSchema)))
      for (const args of given) {
        const isTaken = () => {
          try {
            parseArguments(tool, args)
            return true
          } catch {
            return false
          }
        }
        expect([tool.name, args, isTaken()]).toEqual([tool.name, args, check(args)])
      }
    }
  })

  it('put path parameters into the path, and all others into the query', () => {
    const args = { proposalId: '7', page: 2, round: 1 }
    expect(parseArguments(findTool('list_proposal_votes'), args)).toEqual({
      params: { proposalId: '7' },
      query: { page: '2', round: '1' },
    })
    const limited = parseArguments(findTool('list_pools'), { limit: '5' })
    expect(limited).toEqual({ params: {}, query: {}, limit: 5 })
    expect(parseArguments(findTool('get_service_status'), undefined)).toEqual({
      params: {},
      query: {},
    })
  })
})
