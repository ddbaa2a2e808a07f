// Reads fields of messages that no type here knows.
import { type Field, readBytes } from '../../infra/app/chain/raw-message.ts'

export function readUint(fields: readonly Field[], number: number): bigint {
  const found = fields.findLast((field) => field.number === number && 'varint' in field)
  return found && 'varint' in found ? found.varint : 0n
}

export function readText(fields: readonly Field[], number: number): string {
  return Buffer.from(readBytes(fields, number) ?? []).toString('utf8')
}
