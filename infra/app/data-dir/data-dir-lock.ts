// Locks a data directory for one process. A dead process does not block it.
// The kernel lock (flock) ends with its process and works across PID namespaces: it decides if the system has one.
// Claim files name the holder, and decide if there is no kernel lock. Each candidate first writes its own file and only
// then looks for others, so of two at least one sees the other.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type KernelLock, openKernelLock } from '../../base/log/kernel-lock.ts'
import { writeFileAtomically } from '../../base/runtime/atomic-file.ts'
import { systemClock } from '../../base/runtime/clock.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { isAlive, isElsewhere, ownIdentity, type ProcessIdentity } from './process-identity.ts'

type Claim = ProcessIdentity & { since: string }

export const LOCK_PREFIX = 'lock.'

/** Two candidates that see each other both withdraw for a moment; a holder does not. */
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
    // Its owner has just withdrawn.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isClaim(value)) return value
  } catch {
    // Reported below with the name of the file.
  }
  throw new AppError(
    'DATA_DIR_DAMAGED',
    `the data directory is damaged: ${file} is not a lock file. Remove it if no Rollcall runs here`,
    { expose: true },
  )
}

type Others = { holder: Claim | undefined; stale: string[] }

/** With the kernel lock, every process that is not visible has ended. */
const findOthers = (directory: string, own: string, hasKernelLock: boolean): Others => {
  const others: Others = { holder: undefined, stale: [] }
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(LOCK_PREFIX) || name === own) continue
    const file = join(directory, name)
    const claim = readClaim(file)
    if (!claim) continue
    if (isAlive(claim) && !(hasKernelLock && isElsewhere(claim))) others.holder = claim
    else others.stale.push(file)
  }
  return others
}

/** The current holder of the directory, if any. Takes no lock and changes nothing. */
export const readHolder = (directory: string): Claim | undefined =>
  findOthers(directory, '', false).holder

const refuse = (directory: string, holder: Claim | undefined): never => {
  const where = holder && isElsewhere(holder) ? ' of another container' : ''
  const text = holder ? `process ${holder.pid}${where} since ${holder.since}` : 'another process'
  throw new AppError(
    'DATA_DIR_LOCKED',
    `${directory} is in use by ${text}. Stop it, or set DATA_DIR to another directory`,
    { expose: true },
  )
}

/** Undefined if the claim of this process decides now, else the other holder. */
const claimDirectory = (directory: string, name: string, isOwner: boolean): Claim | undefined => {
  const before = findOthers(directory, name, isOwner)
  if (before.holder) return before.holder
  const file = join(directory, name)
  const claim: Claim = { ...ownIdentity(), since: new Date().toISOString() }
  writeFileAtomically(file, `${JSON.stringify(claim)}\n`)
  const { holder, stale } = findOthers(directory, name, isOwner)
  for (const obsolete of holder ? [file] : stale) rmSync(obsolete, { force: true })
  return holder
}

type Attempt = { release: () => void } | { holder: Claim | undefined }

const tryToLock = (directory: string, name: string, kernel: KernelLock | undefined): Attempt => {
  if (kernel && !kernel.tryToAcquire()) {
    kernel.close()
    return { holder: readHolder(directory) }
  }
  const release = () => {
    rmSync(join(directory, name), { force: true })
    kernel?.close()
  }
  try {
    const holder = claimDirectory(directory, name, kernel !== undefined)
    if (!holder) return { release }
    kernel?.close()
    return { holder }
  } catch (error) {
    kernel?.close()
    throw error
  }
}

/** Returns a function that releases the lock. Throws `DATA_DIR_LOCKED`, which names the holder. */
export const lockDirectory = async (
  directory: string,
  openLock = openKernelLock,
): Promise<() => void> => {
  const name = `${LOCK_PREFIX}${process.pid}.${randomBytes(6).toString('hex')}`
  for (let attempt = 1; ; attempt++) {
    const tried = tryToLock(directory, name, await openLock(directory))
    if ('release' in tried) return tried.release
    if (attempt >= TRIES) {
      // A holder of a kernel lock writes its claim at once: without one, the file system has no kernel lock.
      const claimed = tried.holder ? tried : tryToLock(directory, name, undefined)
      return 'release' in claimed ? claimed.release : refuse(directory, claimed.holder)
    }
    await systemClock.sleep(Math.random() * MAX_PAUSE_MS)
  }
}
