// What a service and the process that starts it exchange over pipes: settings on standard input, the reason of a failure on
// standard error. So no environment and no command line has a password, and a service ends with the process that started it.
import { createInterface } from 'node:readline'
import type { Environment } from '../../base/runtime/config.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'

/** The option of a command that runs a service. */
export const SUPERVISED = 'supervised'

/** Why a service cannot continue. */
export type Failure = { code: string; message: string }

/** Node reads U+2028 and U+2029 as the end of a line, and JSON leaves them as they are. */
const formatLine = (value: object): string => {
  const json = JSON.stringify(value)
  return `${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}

export const formatSettings = (settings: Environment): string => formatLine(settings)

/** The settings in the first line. The process exits at the end of its input. */
export const receiveSettings = (process: NodeJS.Process): Promise<Environment> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin })
    lines.once('line', (line) => resolve(JSON.parse(line) as Environment))
    // The other process has ended: an immediate crash-safe stop is better than unsupervised work.
    lines.once('close', () => process.exit(EXIT_CODES.ok))
  })

const FAILURE_START = '{"failure":'

export const describeFailure = (error: unknown): Failure => ({
  code: error instanceof AppError ? error.code : 'UNEXPECTED',
  message: error instanceof Error ? error.message : String(error),
})

export const formatFailure = (error: unknown): string =>
  formatLine({ failure: describeFailure(error) })

/** Undefined for a line with something else, or that was cut off. */
export const parseFailure = (line: string): Failure | undefined => {
  if (!line.startsWith(FAILURE_START)) return undefined
  try {
    return (JSON.parse(line) as { failure: Failure }).failure
  } catch {
    return undefined
  }
}
