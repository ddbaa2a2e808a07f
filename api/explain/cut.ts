// Limits the length of texts in explanations. A truncated text ends in "…".
import { MAX_DETAIL_TEXT } from '../schemas/explanation.ts'
import { cut as cutText } from '../shortened.ts'

export const cut = (text: string, maxLength = MAX_DETAIL_TEXT): string => cutText(text, maxLength)

const MAX_NAME = 80

/** A name from the chain or from a proposer, for a sentence. */
export const quoted = (name: string): string => `“${cut(name, MAX_NAME)}”`

const MAX_DEPTH = 32

/**
 * `JSON.stringify` with an indentation of two, truncated. The work is bounded by `maxLength` and `MAX_DEPTH`,
 * whatever the size of the value.
 */
export const boundedJson = (value: unknown, maxLength = MAX_DETAIL_TEXT): string => {
  let json = ''
  const write = (part: unknown, indent: string): void => {
    if (json.length > maxLength) return
    if (typeof part === 'string') {
      json += JSON.stringify(part.slice(0, maxLength))
      return
    }
    if (typeof part !== 'object' || part === null) {
      json += JSON.stringify(part) ?? 'null'
      return
    }
    const isList = Array.isArray(part)
    const names = Object.keys(part)
    const [open, close] = isList ? '[]' : '{}'
    if (names.length === 0 || indent.length >= 2 * MAX_DEPTH) {
      json += names.length === 0 ? `${open}${close}` : '…'
      return
    }
    const inner = `${indent}  `
    json += open
    for (const [n, name] of names.entries()) {
      if (json.length > maxLength) return
      json += `${n > 0 ? ',' : ''}\n${inner}`
      if (!isList) json += `${JSON.stringify(name.slice(0, maxLength))}: `
      write((part as Record<string, unknown>)[name], inner)
    }
    json += `\n${indent}${close}`
  }
  write(value, '')
  return cut(json, maxLength)
}
