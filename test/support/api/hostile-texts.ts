// Texts that strangers may send, for every property test: one generator, so that what one test learns all of them try.
import fc from 'fast-check'

/** What a plain object finds for a name that was never put into it: `constructor`, `valueOf`, `__proto__` and the rest. */
export const PROTOTYPE_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/** One piece of text: any characters, a name of `Object.prototype`, or one of `marks`, which mean something where they end up. */
export const hostileWord = (marks: readonly string[] = [], maxLength?: number) => {
  const length = maxLength === undefined ? {} : { maxLength }
  const any = [fc.string({ unit: 'binary', ...length }), fc.string(length)]
  return fc.oneof(...any, fc.constantFrom(...PROTOTYPE_NAMES), fc.constantFrom(...marks, ''))
}

/** Several pieces in a row; often one alone. */
export const hostileText = (marks: readonly string[] = []) => {
  const word = hostileWord(marks)
  return fc.oneof(
    word,
    fc.array(word, { maxLength: 8 }).map((parts) => parts.join('')),
  )
}
