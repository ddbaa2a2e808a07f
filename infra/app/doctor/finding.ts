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

export type Reporter = ReturnType<typeof createAreaFindings>

/** Makes the findings of one area. */
export function createAreaFindings(area: string) {
  return {
    ok: (message: string): Finding => ({ area, level: 'ok', message }),
    warning: (message: string, remedy: string): Finding => ({
      area,
      level: 'warning',
      message,
      remedy,
    }),
    problem: (message: string, remedy: string): Finding => ({
      area,
      level: 'problem',
      message,
      remedy,
    }),
    notChecked: (message: string): Finding => ({ area, level: 'not checked', message }),
  }
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
  area: string,
  signal: AbortSignal,
  check: (signal: AbortSignal) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
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
const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

const countLevel = (findings: readonly Finding[], level: Level): number =>
  findings.filter((finding) => finding.level === level).length

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** One line, and a second one with the remedy if there is one. */
const findingText = ({ area, level, message, remedy }: Finding): string[] => {
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

export type FindingChange = { change: 'new' | 'over'; finding: Finding }

/** Heights, ages and sizes change with every check: findings that differ only in numbers are the same. */
const toComparisonKey = ({ area, level, message }: Finding): string =>
  `${area}\n${level}\n${message.replace(/\d+(?:[.,]\d+)*/g, '#')}`

const missingIn = (findings: readonly Finding[], others: readonly Finding[]): Finding[] => {
  const known = new Set(others.map(toComparisonKey))
  return findings.filter((finding) => !known.has(toComparisonKey(finding)))
}

/** Between two checks of a deployment; resolved findings come first. */
export function changesBetween(
  before: readonly Finding[],
  now: readonly Finding[],
): FindingChange[] {
  return [
    ...missingIn(before, now).map((finding) => ({ change: 'over' as const, finding })),
    ...missingIn(now, before).map((finding) => ({ change: 'new' as const, finding })),
  ]
}

export function changeText(at: string, { change, finding }: FindingChange): string {
  const [first, ...rest] = findingText(finding)
  return [`${at} ${change === 'new' ? '+' : '-'} ${first}`, ...rest].join('\n')
}
