// The findings of `rollcall doctor`, each with a remedy; a check that fails is a finding too.
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { withDeadline } from '../../base/runtime/retry.ts'

type Level = 'ok' | 'warning' | 'problem' | 'not checked'

export type Finding = {
  /** The checked area, such as `event log`: set by `inArea`. */
  area?: string
  level: Level
  message: string
  /** The fix for the operator. */
  remedy?: string
}

export function ok(message: string): Finding {
  return { level: 'ok', message }
}

export function warning(message: string, remedy: string): Finding {
  return { level: 'warning', message, remedy }
}

export function problem(message: string, remedy: string): Finding {
  return { level: 'problem', message, remedy }
}

export function notChecked(message: string): Finding {
  return { level: 'not checked', message }
}

/** A finding keeps the area that it already has. */
export function inArea(area: string, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => ({ area, ...finding }))
}

/** Users, passwords and paths of URLs may be secret; hosts are not. */
export function withoutSecrets(text: string): string {
  return text.replace(
    /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"]*@)?([^\s/?#"',;]*)[^\s"',;]*/gi,
    '$1$2',
  )
}

const CHECK_TIMEOUT_MS = 15_000

/** Rejects only with `ABORTED`: any other failure is a finding. */
export async function checkArea(
  signal: AbortSignal,
  check: (signal: AbortSignal) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await withDeadline(CHECK_TIMEOUT_MS, signal, check)
  } catch (error) {
    if (signal.aborted) throw error
    const message = withoutSecrets(error instanceof Error ? error.message : String(error))
    if (hasCode(error, 'CONFIG_INVALID')) {
      // The check of the settings reports each line.
      return [notChecked(message.includes('\n') ? 'a required setting is invalid' : message)]
    }
    return error instanceof AppError
      ? [problem(message, `see ${error.code} in infra/ERRORS.md`)]
      : [problem(message, 'unexpected: please report it')]
  }
}

const AREA_COLUMN = 16
const LEVEL_COLUMN = 13

/** A message of another program must not break the line format. */
const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

const countLevel = (findings: readonly Finding[], level: Level): number =>
  findings.filter((finding) => finding.level === level).length

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** One line, and a second one with the remedy if there is one. */
const findingText = ({ area = '', level, message, remedy }: Finding): string[] => {
  const first = `${area.padEnd(AREA_COLUMN)}${level.padEnd(LEVEL_COLUMN)}${oneLine(message)}`
  const indent = ' '.repeat(AREA_COLUMN + LEVEL_COLUMN)
  return remedy === undefined ? [first] : [first, `${indent}→ ${oneLine(remedy)}`]
}

export function findingsText(findings: readonly Finding[]): string {
  const [problems, warnings] = [countLevel(findings, 'problem'), countLevel(findings, 'warning')]
  const unchecked = countLevel(findings, 'not checked')
  const sum = `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}, ${unchecked} not checked`
  return [...findings.flatMap(findingText), '', sum].join('\n')
}

export function hasProblem(findings: readonly Finding[]): boolean {
  return countLevel(findings, 'problem') > 0
}
