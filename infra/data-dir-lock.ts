// Who may use a data directory: one process at a time, and none is kept out by a dead one.
// Each candidate first puts down a file of its own and only then looks for others, so of two at least one sees the other.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts'
import { systemClock } from './runtime/clock.ts'
import { AppError } from './runtime/errors.ts'
import { writeFileWhole } from './whole-file.ts'

type Claim = ProcessIdentity & { since: string }

export const LOCK_PREFIX = 'lock.'

/** Two that see each other both step back for a moment; a real holder stays. */
const TRIES = 10
const MAX_PAUSE_MS = 60

const isClaim = (value: unknown): value is Claim => {
  const { pid, started, since } = (value ?? {}) as Partial<Claim>
  return Number.isSafeInteger(pid) && typeof started === 'string' && typeof since === 'string'
}

const readClaim = (file: string): Claim | undefined => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    // Its owner has just stepped back.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isClaim(value)) return value
  } catch {
    // Told below, with the file's name.
  }
  throw new AppError(
    'DATA_DIR_DAMAGED',
    `the data directory is damaged: ${file} is no lock. Remove it if no rollcall runs here`,
    { expose: true },
  )
}

type Others = { holder: Claim | undefined; stale: string[] }

const findOthers = (directory: string, own?: string): Others => {
  const others: Others = { holder: undefined, stale: [] }
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(LOCK_PREFIX) || name === own) continue
    const file = join(directory, name)
    const claim = readClaim(file)
    if (!claim) continue
    if (isAlive(claim)) others.holder = claim
    else others.stale.push(file)
  }
  return others
}

/** Who has the directory now; undefined where nobody does. Takes no lock and changes nothing. */
export const readHolder = (directory: string): Claim | undefined => findOthers(directory).holder

const locked = (directory: string, { pid, since }: Claim): AppError =>
  new AppError(
    'DATA_DIR_LOCKED',
    `${directory} is in use by process ${pid} since ${since}. Stop that one, or set DATA_DIR to another directory`,
    { expose: true },
  )

/** Undefined where it has it now, else who is in the way. */
const tryToLock = (directory: string, name: string): Claim | undefined => {
  const before = findOthers(directory)
  if (before.holder) return before.holder
  const claim: Claim = { ...ownIdentity(), since: new Date().toISOString() }
  writeFileWhole(join(directory, name), `${JSON.stringify(claim)}\n`)
  const { holder, stale } = findOthers(directory, name)
  if (holder) {
    rmSync(join(directory, name), { force: true })
    return holder
  }
  for (const file of stale) rmSync(file, { force: true })
  return undefined
}

/** Returns what gives the lock back. Throws `DATA_DIR_LOCKED`, which says who has it. */
export const lockDirectory = async (directory: string): Promise<() => void> => {
  const name = `${LOCK_PREFIX}${process.pid}.${randomBytes(6).toString('hex')}`
  for (let attempt = 1; ; attempt++) {
    const holder = tryToLock(directory, name)
    if (!holder) return () => rmSync(join(directory, name), { force: true })
    if (attempt >= TRIES) throw locked(directory, holder)
    await systemClock.sleep(Math.random() * MAX_PAUSE_MS)
  }
}
