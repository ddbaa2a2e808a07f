// Reads the settings of several services at once, so that one error names every invalid variable.
import { AppError, hasCode } from '../base/runtime/errors.ts'

type Readers = Readonly<Record<string, () => unknown>>
type Results<R extends Readers> = { [Key in keyof R]: ReturnType<R[Key]> }

const HEADLINE = 'the configuration is not valid:'

/** The lines of an error of `readConfig` after the first one: one per problem. */
const problemsIn = (message: string): string[] => {
  const [first = '', ...lines] = message.split('\n')
  return lines.length > 0 ? lines : [`  - ${first}`]
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
  if (problems.size > 0) {
    const message = [HEADLINE, ...problems].join('\n')
    throw new AppError('CONFIG_INVALID', message, { expose: true })
  }
  return results as Results<R>
}
