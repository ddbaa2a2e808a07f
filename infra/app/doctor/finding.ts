// The findings of `rollcall doctor`, each with a remedy; what cannot be read is a finding too.
import { AppError, type ErrorCode, hasCode, isSystemError } from '../../base/runtime/errors.ts'
import { withDeadline } from '../../base/runtime/retry.ts'

export type Finding = {
  /** What was looked at, such as `event log`: set by `checkRow`. */
  area?: string
  level: 'ok' | 'warning' | 'problem' | 'not checked'
  message: string
  /** The fix for the operator. */
  remedy?: string
}

export type Findings = Finding | readonly Finding[]

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
export function inArea(area: string, findings: Findings): Finding[] {
  return [findings].flat().map((finding) => ({ area, ...finding }))
}

/** Users, passwords and paths of URLs may be secret; hosts are not. */
function withoutSecrets(text: string): string {
  return text.replace(
    /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"]*@)?([^\s/?#"',;]*)[^\s"',;]*/gi,
    '$1$2',
  )
}

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  STORE_UNAVAILABLE: 'start ClickHouse, or set CLICKHOUSE_URL',
  EVIDENCE_UNAVAILABLE: 'start it, or check its log',
}

/** Any part of a configured URL may contain a key. */
const settingText = (line: string): string =>
  line.replace(/^\s*- /, '').replace(/^(\w+_URLS?: )".*" is not/, '$1the given value is not')

/** The findings of what could not be read, in the words of its error. */
const toFindings = (error: unknown): Findings => {
  if (hasCode(error, 'CONFIG_INVALID')) {
    const [first = '', ...lines] = error.message.split('\n')
    const remedy = 'correct it; "rollcall settings" lists every setting'
    const each = lines.length > 0 ? lines : [first]
    return each.map((line) => problem(withoutSecrets(settingText(line)), remedy))
  }
  const message = withoutSecrets(error instanceof Error ? error.message : String(error))
  if (isSystemError(error)) return problem(message, 'correct the path, its owner or its mode')
  if (!(error instanceof AppError)) return problem(message, 'unexpected: please report it')
  const { code } = error
  if (code === 'NOT_IN_LOG') return notChecked(message)
  return problem(message, REMEDIES[code] ?? `see ${code} in infra/ERRORS.md`)
}

const CHECK_TIMEOUT_MS = 15_000

/** Rejects only with `ABORTED`: any other failure is a finding. */
export async function checkRow(
  fact: string,
  signal: AbortSignal,
  check: (signal: AbortSignal) => Findings | Promise<Findings>,
): Promise<Finding[]> {
  try {
    return inArea(fact, await withDeadline(CHECK_TIMEOUT_MS, signal, async (own) => check(own)))
  } catch (error) {
    if (signal.aborted) throw error
    return inArea(fact, toFindings(error))
  }
}

const AREA_COLUMN = 16
const LEVEL_COLUMN = 13

/** A message of another program must not break the line format. */
const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

/** One line, and a second one with the remedy if there is one. */
const findingText = ({ area = '', level, message, remedy }: Finding): string[] => {
  const first = `${area.padEnd(AREA_COLUMN)}${level.padEnd(LEVEL_COLUMN)}${oneLine(message)}`
  const indent = ' '.repeat(AREA_COLUMN + LEVEL_COLUMN)
  return remedy === undefined ? [first] : [first, `${indent}→ ${oneLine(remedy)}`]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

export function findingsText(findings: readonly Finding[]): string {
  const count = (counting: Finding['level']): number =>
    findings.filter(({ level }) => level === counting).length
  const sum = `${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}, ${count('not checked')} not checked`
  return [...findings.flatMap(findingText), '', sum].join('\n')
}
