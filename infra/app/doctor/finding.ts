// The findings of `rollcall doctor`, each with a remedy; a check that fails is a finding too.
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { withDeadline } from '../../base/runtime/retry.ts'

type Level = 'ok' | 'warning' | 'problem' | 'not checked'

export type Finding = {
  /** The checked area: `settings`, `event log`. */
  area: string
  level: Level
  message: string
  /** The fix for the operator. */
  remedy?: string
}

/** Makes the findings of one area. */
export type Reporter = {
  ok(message: string): Finding
  warning(message: string, remedy: string): Finding
  problem(message: string, remedy: string): Finding
  notChecked(message: string): Finding
}

export const createAreaFindings = (area: string): Reporter => ({
  ok: (message) => ({ area, level: 'ok', message }),
  warning: (message, remedy) => ({ area, level: 'warning', message, remedy }),
  problem: (message, remedy) => ({ area, level: 'problem', message, remedy }),
  notChecked: (message) => ({ area, level: 'not checked', message }),
})

/** Pure checks of one subject, each with the area of its finding. */
export type Check<Subject> = {
  area: string
  check(subject: Subject, report: Reporter): Finding
}

export const runChecks = <Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): Finding[] => checks.map(({ area, check }) => check(subject, createAreaFindings(area)))

/** Users, passwords and paths of URLs may be secret; hosts are not. */
export const withoutSecrets = (text: string): string =>
  text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"]*@)?([^\s/?#"',;]*)[^\s"',;]*/gi, '$1$2')

const CHECK_TIMEOUT_MS = 15_000

/** Rejects only with `ABORTED`: any other failure is a finding. */
export const checkArea = async (
  area: string,
  signal: AbortSignal,
  check: (signal: AbortSignal) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> => {
  try {
    return await withDeadline(CHECK_TIMEOUT_MS, signal, check)
  } catch (error) {
    if (signal.aborted) throw error
    const message = withoutSecrets(error instanceof Error ? error.message : String(error))
    const { problem, notChecked } = createAreaFindings(area)
    if (hasCode(error, 'CONFIG_INVALID')) {
      // The check of the settings reports each line.
      return [notChecked(message.includes('\n') ? 'a required setting is invalid' : message)]
    }
    return error instanceof AppError
      ? [problem(message, `see ${error.code} in infra/README.md`)]
      : [problem(message, 'unexpected: please report it')]
  }
}

const AREA_COLUMN = 16
const LEVEL_COLUMN = 13

/** A message of another program must not break the line format. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

const countLevel = (findings: readonly Finding[], level: Level): number =>
  findings.filter((finding) => finding.level === level).length

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** One line, and a second one with the remedy if there is one. */
export const findingText = ({ area, level, message, remedy }: Finding): string[] => {
  const first = `${area.padEnd(AREA_COLUMN)}${level.padEnd(LEVEL_COLUMN)}${oneLine(message)}`
  const indent = ' '.repeat(AREA_COLUMN + LEVEL_COLUMN)
  return remedy === undefined ? [first] : [first, `${indent}→ ${oneLine(remedy)}`]
}

export const findingsText = (findings: readonly Finding[]): string => {
  const lines = findings.flatMap(findingText)
  const [problems, warnings] = [countLevel(findings, 'problem'), countLevel(findings, 'warning')]
  const unchecked = countLevel(findings, 'not checked')
  return [
    ...lines,
    '',
    `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}, ${unchecked} not checked`,
  ].join('\n')
}

export const hasProblem = (findings: readonly Finding[]): boolean =>
  countLevel(findings, 'problem') > 0
