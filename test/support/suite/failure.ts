// A failure of a test as a reader sees it: what failed, why, where, and the command that repeats it.

/** A failure outside of every file has no file; one of a whole file has no test. */
export type Place = { project?: string; file?: string; test?: string }
/** `repeat` is the command that repeats it, if it is in a file. */
export type Failure = { name: string; reason: string; repeat?: string }

/** The parts of an error of vitest that help a reader. */
type ShownError = {
  message: string
  diff?: unknown
  stacks?: readonly { file: string; line: number }[] | undefined
}

const MOST_LINES = 40
const MOST_CALLS = 3
const NO_ERROR: ShownError = { message: 'it failed without an error' }

/** A name for `-t`, which is a regular expression, as one word of a shell. */
const quoteName = (name: string): string =>
  `'${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "'\\''")}'`

const repeatCommand = ({ project, file, test }: Place, vitest: string): string => {
  const words = [vitest, 'run --config test/vitest.config.ts --project', project, file]
  return [...words, ...(test === undefined ? [] : ['-t', quoteName(test)])].join(' ')
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''

/** `vitest` is the command that starts it on the Node of the suite. */
export const describeFailure = (
  place: Place,
  error: ShownError = NO_ERROR,
  vitest = 'npx vitest',
): Failure => {
  const { file = 'outside of every file', test } = place
  return {
    name: test === undefined ? file : `${file}: ${test}`,
    reason: firstLine(error.message),
    ...(place.file === undefined ? {} : { repeat: repeatCommand(place, vitest) }),
  }
}

const indent = (text: string): string => text.trimEnd().replaceAll(/^/gm, '    ')

const shorten = (text: string): string => {
  const lines = text.trimEnd().split('\n')
  const left = lines.length - MOST_LINES
  return left > 0 ? [...lines.slice(0, MOST_LINES), `… ${left} more lines`].join('\n') : text
}

/** The text that is shown when the failure happens. */
export const failureText = (
  { name, repeat }: Failure,
  { message, diff, stacks = [] }: ShownError = NO_ERROR,
): string =>
  [
    `✗ ${name}`,
    indent(shorten(message)),
    ...(typeof diff === 'string' ? [indent(shorten(diff))] : []),
    ...stacks.slice(0, MOST_CALLS).map(({ file, line }) => `    at ${file}:${line}`),
    ...(repeat === undefined ? [] : [`    repeat: ${repeat}`]),
    '',
  ].join('\n')
