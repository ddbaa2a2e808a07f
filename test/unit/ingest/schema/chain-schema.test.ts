// Tests the protobuf files that a node reports: valid sets are used, invalid ones are refused with the reason.

import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import { readSchema, SchemaError } from '../../../../ingest/schema/chain-schema.ts'
import { decodeAny } from '../../../../ingest/schema/message-json.ts'

type File = MessageInitShape<typeof FileDescriptorProtoSchema>

const STRING = 9
const INT32 = 5
const MESSAGE = 11
const OPTIONAL = 1
const REPEATED = 3

const createFile = (name: string, rest: Omit<File, '$typeName'> = {}): File => ({
  name,
  package: 'test',
  syntax: 'proto3',
  ...rest,
})

const encodeFileSet = (...files: File[]): Uint8Array =>
  toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, {
      file: files.map((file) => create(FileDescriptorProtoSchema, file)),
    }),
  )

const NOTE = {
  name: 'Note',
  field: [{ name: 'text', number: 1, type: STRING, label: OPTIONAL }],
}

const varint = (value: number): number[] =>
  value > 127 ? [(value % 128) + 128, ...varint(Math.floor(value / 128))] : [value]
const field = (number: number, content: Uint8Array | number[]): Buffer =>
  Buffer.from([...varint(number * 8 + 2), ...varint(content.length), ...content])

describe('the protobuf files of a chain', () => {
  it('are used without a file with missing imports, and without files that import it', () => {
    const schema = readSchema(
      encodeFileSet(
        createFile('a.proto', { dependency: ['missing.proto'], messageType: [{ name: 'Lost' }] }),
        createFile('b.proto', { dependency: ['a.proto'] }),
        createFile('note.proto', { messageType: [NOTE] }),
      ),
    )
    expect(schema.omittedFiles).toEqual(['a.proto', 'b.proto'])
    expect(schema.messageType('/test.Lost')).toBeUndefined()
    expect(schema.messageType('/test.Note')).toBeDefined()
  })

  it.each([
    ['bytes that are not protobuf', new Uint8Array([0x0a, 0xff]), /cannot be decoded/],
    ['no files', new Uint8Array(), /no file/],
    [
      'files that import each other',
      encodeFileSet(
        createFile('a.proto', { dependency: ['b.proto'] }),
        createFile('b.proto', { dependency: ['a.proto'] }),
      ),
      /circular imports/,
    ],
    [
      'a repeated file',
      encodeFileSet(createFile('a.proto'), createFile('a.proto')),
      /a\.proto twice/,
    ],
    [
      'one name for two types',
      encodeFileSet(
        createFile('a.proto', { messageType: [NOTE] }),
        createFile('b.proto', { messageType: [{ name: 'Note' }] }),
      ),
      /both declare test\.Note/,
    ],
    [
      'a field of a type that does not exist',
      encodeFileSet(
        createFile('a.proto', {
          messageType: [
            {
              name: 'Broken',
              field: [
                { name: 'x', number: 1, type: MESSAGE, label: OPTIONAL, typeName: '.test.Nothing' },
              ],
            },
          ],
        }),
      ),
      /cannot be decoded/,
    ],
    ['more bytes than a chain can have', new Uint8Array(17 * 2 ** 20), /at most/],
    [
      'millions of declarations',
      field(
        1,
        field(4, Buffer.concat(Array.from({ length: 610_000 }, () => Buffer.from([0x12, 0])))),
      ),
      /more fields/,
    ],
    [
      'types that are nested without limit',
      field(
        1,
        field(
          4,
          Array.from({ length: 40 }).reduce<Buffer>((inner) => field(3, inner), Buffer.alloc(0)),
        ),
      ),
      /nested deeper/,
    ],
  ])(
    'are refused with the reason: %s',
    {
      tags: 'ingest:undecodable-message-is-kept',
    },
    (_, bytes, reason) => {
      const refusal = () => {
        try {
          return readSchema(bytes)
        } catch (error) {
          return error
        }
      }
      const error = refusal()
      expect(error).toBeInstanceOf(SchemaError)
      expect(`${error}`).toMatch(reason)
    },
  )
})

const TREE = {
  name: 'Tree',
  oneofDecl: [{ name: 'choice' }],
  nestedType: [
    {
      name: 'CountsEntry',
      options: { mapEntry: true },
      field: [
        { name: 'key', number: 1, type: STRING, label: OPTIONAL },
        { name: 'value', number: 2, type: INT32, label: OPTIONAL },
      ],
    },
  ],
  field: [
    { name: 'child', number: 1, type: MESSAGE, label: OPTIONAL, typeName: '.test.Tree' },
    {
      name: 'counts',
      number: 2,
      type: MESSAGE,
      label: REPEATED,
      typeName: '.test.Tree.CountsEntry',
    },
    { name: 'left', number: 3, type: STRING, label: OPTIONAL, oneofIndex: 0 },
    { name: 'right', number: 4, type: STRING, label: OPTIONAL, oneofIndex: 0 },
    { name: 'numbers', number: 5, type: INT32, label: REPEATED },
    { name: '__proto__', number: 6, type: STRING, label: OPTIONAL },
  ],
}

describe('a message of a type of the chain', { tags: 'ingest:undecodable-message-is-kept' }, () => {
  const schema = readSchema(encodeFileSet(createFile('tree.proto', { messageType: [TREE] })))
  const decode = (value: Uint8Array) => decodeAny(schema, { typeUrl: '/test.Tree', value }).json

  it('has maps as objects, both forms of lists, the last member of a oneof, and unknown fields as bytes', () => {
    const unknown = field(9, Buffer.from('newer'))
    const entry = field(2, [...field(1, Buffer.from('a')), 0x10, 0x05])
    const value = Buffer.concat([
      entry,
      field(3, Buffer.from('first')),
      field(4, Buffer.from('second')),
      field(5, [1, 2]),
      Buffer.from([0x28, 3]),
      unknown,
    ])
    expect(decode(value)).toEqual({
      '@type': '/test.Tree',
      child: null,
      counts: { a: 5 },
      right: 'second',
      numbers: [1, 2, 3],
      ['__proto__']: '',
      '@unknownFields': { count: 1, bytes: unknown.toString('base64') },
    })
  })

  it('keeps a field with the name of an inherited object property as a plain member', () => {
    const json = decode(field(6, Buffer.from('x')))
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype)
    expect(Object.getOwnPropertyDescriptor(json, '__proto__')?.value).toBe('x')
  })

  it('shows invalid UTF-8 with replacement characters, as the node does', () => {
    expect(decode(field(3, [0x61, 0xff]))).toMatchObject({ left: 'a\uFFFD' })
  })

  it.each([
    ['truncated', Buffer.from([0x0a, 0x05, 0x0a])],
    ['of another wire type', Buffer.from([0x18, 0x01])],
    [
      'nested a thousand levels deep',
      Array.from({ length: 1_000 }).reduce<Buffer>((inner) => field(1, inner), Buffer.alloc(0)),
    ],
    [
      'too large, with more fields than are decoded',
      Buffer.concat(Array.from({ length: 250_000 }, () => Buffer.from([0x28, 1]))),
    ],
  ])('that is %s is kept as bytes with the reason', (_, value) => {
    const json = decode(value)
    expect(json).toMatchObject({ '@type': '/test.Tree', '@reason': expect.any(String) })
    expect(Object.keys(json)).toEqual(['@type', 'value', '@reason'])
  })
})
