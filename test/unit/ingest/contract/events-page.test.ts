// Tests that EVENTS.md matches the schemas and the examples, and describes every field.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeEvent, encodeEvent } from '../../../../ingest/contract/codec.ts'
import { EventEnvelope } from '../../../../ingest/contract/envelope.ts'
import { EVENTS_PAGE, eventSchemas, eventsPage, storedExamples } from '../../../docs/events-page.ts'
import { type Field, isNullable, listFields, namedShapes } from '../../../docs/field-tables.ts'

/** Every field of every event, with the names of its sibling fields. */
const allFields = (): { where: string; field: Field; siblings: Set<string> }[] => {
  const shapes = [
    ['envelope', EventEnvelope] as const,
    ...eventSchemas().map(({ $id, properties }) => [$id, properties.data] as const),
    ...namedShapes,
  ]
  return shapes.flatMap(([name, schema]) => {
    const fields = listFields(schema as Parameters<typeof listFields>[0])
    const siblings = new Set(fields.map(({ path }) => path))
    return fields.map((field) => ({ where: `${name} ${field.path}`, field, siblings }))
  })
}

describe('the page of events', () => {
  it('matches the schemas', () => {
    const written = existsSync(EVENTS_PAGE) ? readFileSync(EVENTS_PAGE, 'utf8') : ''
    const message = 'EVENTS.md differs from the schemas: run `npm run docs:events`'
    expect(written === eventsPage(), message).toBe(true)
  })

  it('has an example of each type, and each matches its schema', () => {
    const examples = storedExamples()
    expect(examples.map(({ type }) => type).sort()).toEqual(
      eventSchemas()
        .map(({ $id }) => $id)
        .sort(),
    )
    for (const event of examples) {
      expect(decodeEvent(encodeEvent(event))).toEqual({ ok: true, event })
    }
  })

  it('describes every field, and states when a field can be null', () => {
    const fields = allFields()
    expect(fields.length).toBeGreaterThan(150)
    const undocumented = fields.filter(({ field: { schema } }) => {
      const text = schema.description ?? schema.items?.description ?? ''
      return text === '' || (isNullable(schema) && !/\bnull\b/i.test(text))
    })
    expect(undocumented.map(({ where }) => where)).toEqual([])
  })

  it('names only sibling fields as the reason of a field', () => {
    const named = allFields().filter(({ field }) => field.schema['x-reason'] !== undefined)
    expect(named.length).toBeGreaterThan(15)
    const lost = named.filter(({ field, siblings }) => !siblings.has(field.schema['x-reason']!))
    expect(lost.map(({ where }) => where)).toEqual([])
  })
})
