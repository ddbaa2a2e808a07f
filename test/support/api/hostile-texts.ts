// Generates untrusted texts. All property tests share it, so each new case reaches every test.
import fc from 'fast-check'

/** Names that every plain object inherits: `constructor`, `valueOf`, `__proto__` and others. */
export const PROTOTYPE_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/** One piece of text: any characters, a name of `Object.prototype`, or one of `marks`, which have a meaning in the output format. */
export const hostileWord = (marks: readonly string[] = []) => {
  const any = [fc.string({ unit: 'binary' }), fc.string()]
  return fc.oneof(...any, fc.constantFrom(...PROTOTYPE_NAMES), fc.constantFrom(...marks, ''))
}

/** Several pieces in a row, often only one. */
export const hostileText = (marks: readonly string[] = []) => {
  const word = hostileWord(marks)
  return fc.oneof(
    word,
    fc.array(word, { maxLength: 8 }).map((parts) => parts.join('')),
  )
}
