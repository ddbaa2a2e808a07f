// Small sets of protobuf files that a chain could report, valid or invalid.
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'

type File = MessageInitShape<typeof FileDescriptorProtoSchema>

export const STRING = 9
export const INT32 = 5
export const MESSAGE = 11
export const OPTIONAL = 1
export const REPEATED = 3

export const createFile = (name: string, rest: Omit<File, '$typeName'> = {}): File => ({
  name,
  package: 'test',
  syntax: 'proto3',
  ...rest,
})

export const encodeFileSet = (...files: File[]): Uint8Array =>
  toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, {
      file: files.map((file) => create(FileDescriptorProtoSchema, file)),
    }),
  )
