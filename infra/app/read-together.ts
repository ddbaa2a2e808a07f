// Reads the settings of several services at once, so that one error names every invalid variable.
import { configInvalid } from '../base/runtime/config.ts'
import { hasCode } from '../base/runtime/errors.ts'

type Readers = Readonly<Record<string, () => unknown>>
type Results<R extends Readers> = { [Key in keyof R]: ReturnType<R[Key]> }

/** Of an error of `readConfig`, which has a line for each after the first one, or of another one. */
const problemsIn = (message: string): string[] => {
  const [first = '', ...lines] = message.split('\n')
  return lines.length > 0 ? lines.map((line) => line.replace(/^ {2}- /, '')) : [first]
}

/** The settings of each reader, or one `CONFIG_INVALID` with all problems, each once. */
export const readTogether = <R extends Readers>(readers: R): Results<R> => {
  const results: Record<string, unknown> = {}
  const problems = new Set<string>()
  for (const [name, read] of Object.entries(readers)) {
    try {
      results[name] = read()
    } catch (error) {
      if (!hasCode(error, 'CONFIG_INVALID')) throw error
      for (const problem of problemsIn(error.message)) problems.add(problem)
    }
  }
  if (problems.size > 0) throw configInvalid([...problems])
  return results as Results<R>
}
