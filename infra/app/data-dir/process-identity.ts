// Identifies a process, also against a later one with the same PID. Locks name their holder by it.
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

export type ProcessIdentity = {
  pid: number
  /** Opaque; unique among all processes that ever had this PID on this machine. */
  started: string
  /** The PID namespace of the PID; absent if the system has none. */
  namespace?: string | undefined
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()

/** pid_namespaces(7). */
const ownNamespace = (): string | undefined => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}

/** Field 22 of `/proc/<pid>/stat` (proc(5)): ticks since boot; the name before it may contain spaces. */
const startedOnLinux = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isZombie = fields[0] === 'Z'
    return isZombie ? undefined : `${bootId()}/${fields[19]}`
  } catch {
    return undefined
  }
}

const startedElsewhere = (pid: number): string | undefined => {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
    return text.trim() || undefined
  } catch {
    return undefined
  }
}

const readStartTime = (pid: number): string | undefined =>
  process.platform === 'linux' ? startedOnLinux(pid) : startedElsewhere(pid)

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  started: readStartTime(process.pid) ?? '',
  namespace: ownNamespace(),
})

/** True for a process of another PID namespace since the same boot: it is not visible here. */
export const isElsewhere = ({ started, namespace }: ProcessIdentity): boolean =>
  namespace !== undefined && namespace !== ownNamespace() && started.startsWith(`${bootId()}/`)

/** A process that is not visible counts as alive. */
export const isAlive = (identity: ProcessIdentity): boolean =>
  isElsewhere(identity) || readStartTime(identity.pid) === identity.started
