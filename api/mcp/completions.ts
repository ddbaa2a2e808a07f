// Completions of arguments: ids of proposals, and pools by address or name.
import { isJsonObject, type JsonObject } from '../../ingest/contract/json.ts'
import { searchPools } from '../pool-search.ts'
import { PROMPTS } from './prompts.ts'
import { invalidParams } from './refusal.ts'
import { TEMPLATE_NAMES } from './resources.ts'
import type { McpSources } from './sources.ts'

/** The maximum of the MCP specification. */
const MAX_VALUES = 100
const MAX_LENGTH = 200

/** `proposals://{proposalId}/votes{?page}` → `proposalId`, `page`. */
const findTemplateArguments = (template: string): string[] =>
  [...template.matchAll(/\{\??(\w+)\}/g)].map(([, name = '']) => name)

const toParams = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

const findArguments = ({ type, name, uri }: JsonObject): readonly string[] => {
  if (type === 'ref/prompt') {
    const prompt = PROMPTS.find((each) => each.name === name)
    if (prompt) return prompt.arguments.map((each) => each.name)
    throw invalidParams(
      `ref.name must be the name of a prompt: ${PROMPTS.map((each) => each.name).join(', ')}.`,
    )
  }
  if (type !== 'ref/resource') throw invalidParams('ref.type must be ref/prompt or ref/resource.')
  const template = TEMPLATE_NAMES.find((each) => each === uri)
  if (template !== undefined) return findTemplateArguments(template)
  throw invalidParams(`ref.uri must be ${TEMPLATE_NAMES.join(' or ')}.`)
}

/** Throws `McpRefusal`. */
export const complete = async (params: JsonObject, sources: McpSources) => {
  const there = findArguments(toParams(params['ref']))
  const { name, value } = toParams(params['argument'])
  if (typeof name !== 'string' || !there.includes(name)) {
    throw invalidParams(`argument.name must be ${there.join(' or ')}.`)
  }
  if (typeof value !== 'string' || value.length > MAX_LENGTH) {
    throw invalidParams(`argument.value must be a string of at most ${MAX_LENGTH} characters.`)
  }
  const found =
    name === 'proposalId'
      ? sources.proposalIds().filter((id) => id.startsWith(value))
      : name === 'pool'
        ? searchPools(await sources.pools(), value).map((pool) => pool.operatorAddress)
        : []
  const values = found.slice(0, MAX_VALUES)
  return { completion: { values, total: found.length, hasMore: found.length > values.length } }
}
