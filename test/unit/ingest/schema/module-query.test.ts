// Tests that the queries of one height are answered by the schema that asks, and run once for each.
import { describe, expect, it } from 'vitest'
import type { AbciAnswer } from '../../../../ingest/comet/endpoints/node.ts'
import { type ChainSchema, readSchema } from '../../../../ingest/schema/chain-schema.ts'
import { createModuleState } from '../../../../ingest/schema/module-query.ts'
import { createFile, encodeFileSet, OPTIONAL, STRING } from '../../../support/chain/schema-files.ts'

const field = (name: string) => ({ name, number: 1, type: STRING, label: OPTIONAL })

/** A chain whose module has the query `Thing`, with an answer that has the field `answer`. */
const declare = (methods: readonly string[], answer = 'text'): ChainSchema =>
  readSchema(
    encodeFileSet(
      createFile('query.proto', {
        messageType: [
          { name: 'Request', field: [field('name')] },
          { name: 'Response', field: [field(answer)] },
        ],
        service: [
          {
            name: 'Query',
            method: methods.map((name) => ({
              name,
              inputType: '.test.Request',
              outputType: '.test.Response',
            })),
          },
        ],
      }),
    ),
  )

const THING = { query: '/test.Query/Thing', request: { name: 'a' } }

const setup = () => {
  const asked: string[] = []
  const abciQuery = async ({ path }: { path: string }): Promise<AbciAnswer> => {
    asked.push(path)
    return { kind: 'value', value: Buffer.from([0x0a, 1, 0x78]) }
  }
  return { asked, state: createModuleState({ abciQuery }, 7) }
}

describe('the state of a module at one height', () => {
  it('has a query that only a newer schema has, although an older one was asked first', async () => {
    const { state } = setup()
    expect(await state.read(declare(['Other']), THING)).toEqual({
      unavailable: 'the schema of the chain does not have /test.Query/Thing',
    })
    expect(await state.read(declare(['Other', 'Thing']), THING)).toMatchObject({
      value: { text: 'x' },
    })
  })

  it('is decoded with the schema that asks', async () => {
    const { state } = setup()
    expect(await state.read(declare(['Thing']), THING)).toMatchObject({ value: { text: 'x' } })
    expect(await state.read(declare(['Thing'], 'label'), THING)).toMatchObject({
      value: { label: 'x' },
    })
  })

  it('is read once for each query of one schema', async () => {
    const { state, asked } = setup()
    await state.read(declare(['Thing']), THING)
    await state.read(declare(['Thing']), THING)
    expect(asked).toHaveLength(1)
  })
})
