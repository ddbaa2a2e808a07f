// Tests of the schemas in openapi.json as generators of clients read them: one component for one thing, one style for null.
import { describe, expect, it } from 'vitest'
import { createOpenApi } from '../../../../../api/discovery/openapi/document.ts'
import { isJsonObject, type JsonObject } from '../../../../../ingest/contract/json.ts'
import { aboutService } from '../../../../support/api/discovery.ts'

type Located = { path: string; node: JsonObject }

/** Every object of the document, without examples. */
const listNodes = (value: unknown, path = ''): Located[] => {
  if (Array.isArray(value)) return value.flatMap((each, at) => listNodes(each, `${path}/${at}`))
  if (!isJsonObject(value)) return []
  const members = Object.entries(value).filter(([key]) => !/^examples?$/.test(key))
  const nested = members.flatMap(([key, each]) => listNodes(each, `${path}/${key}`))
  return [{ path, node: value }, ...nested]
}

const withoutNotes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNotes)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(
    ([key, each]) => !(/^(?:description|title|examples?)$/.test(key) && !isJsonObject(each)),
  )
  return Object.fromEntries(members.map(([key, each]) => [key, withoutNotes(each)]))
}

const hasMembers = ({ properties }: JsonObject): boolean =>
  isJsonObject(properties) && Object.keys(properties).length > 0

const listTypes = ({ type }: JsonObject): unknown[] => (Array.isArray(type) ? type : [])

const api = createOpenApi(aboutService())
const nodes = listNodes(api)
const components = Object.entries(api.components.schemas) as [string, JsonObject][]
const isComponent = (path: string): boolean => /^\/components\/schemas\/\w+$/.test(path)

describe('schemas in openapi.json', () => {
  it('each object with members is a component, and used by reference', () => {
    const objects = nodes.filter(({ node }) => hasMembers(node))
    expect(objects.length).toBeGreaterThan(50)
    expect(objects.filter(({ path }) => !isComponent(path)).map(({ path }) => path)).toEqual([])
  })

  it('no two components with members are equal', () => {
    const byText = new Map<string, string[]>()
    for (const [name, schema] of components.filter(([, each]) => hasMembers(each))) {
      const text = JSON.stringify(withoutNotes(schema))
      byText.set(text, [...(byText.get(text) ?? []), name])
    }
    expect(byText.size).toBeGreaterThan(50)
    expect([...byText.values()].filter(({ length }) => length > 1)).toEqual([])
  })

  it('no two enumerations have a value of the same name', () => {
    const names = components.flatMap(([, each]) => (each['x-enum-varnames'] ?? []) as string[])
    expect(names).toContain('TALLY_RULE_NO_INHERITANCE')
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('no schema has the name of a component without being it', () => {
    const titles = nodes.filter(({ node }) => typeof node['title'] === 'string')
    const names = components.map(([name]) => name)
    const copies = titles.filter(({ node }) => names.includes(`${node['title']}`))
    expect(copies.map(({ path }) => path)).toEqual([])
  })

  it('an object, a list or an enum that may be null is an alternative to null', () => {
    const wrong = nodes.filter(({ node }) => {
      const types = listTypes(node)
      const isStructured = types.includes('object') || types.includes('array') || 'enum' in node
      return types.includes('null') && isStructured
    })
    expect(wrong.map(({ path }) => path)).toEqual([])
    expect(api.components.schemas['VoteRecord']).toMatchObject({
      properties: {
        vote: { anyOf: [{ $ref: '#/components/schemas/PoolVote' }, { type: 'null' }] },
      },
    })
  })

  it('a boolean is no constant', () => {
    const booleans = nodes.filter(({ node }) => node['type'] === 'boolean')
    expect(booleans.length).toBeGreaterThan(10)
    expect(booleans.filter(({ node }) => 'const' in node || 'enum' in node)).toEqual([])
  })

  it('an alternative to null is one schema, and null is the last', () => {
    const pairs = nodes.flatMap(({ path, node }) => {
      const { anyOf } = node
      const isPair = Array.isArray(anyOf) && anyOf.length === 2
      return isPair ? [[path, anyOf] as const] : []
    })
    expect(pairs.length).toBeGreaterThan(20)
    for (const [path, [, last]] of pairs) expect([path, last]).toEqual([path, { type: 'null' }])
  })
})
