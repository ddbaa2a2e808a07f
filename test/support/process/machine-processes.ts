// Reads memory and CPU time of each process of a running machine, and lists the processes that a test can kill.
import { readFileSync } from 'node:fs'

export type MachineProcess = {
  pid: number
  role: string
  /** Memory, with each page divided by the number of processes that share it. */
  mebibytes: number
  /** CPU time of all its threads since the start, and of its children that have ended. */
  cpuSeconds: number
}

/** The unit of CPU time in Linux for every program. */
const TICKS_PER_SECOND = 100

/** Empty if the process has ended in the meantime. */
export const readProc = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const findRole = (pid: number): string => {
  const args = readProc(pid, 'cmdline').split('\0')
  if (args.some((arg) => arg.endsWith('engine-process.js'))) return 'engine'
  const cli = args.findIndex((arg) => arg.endsWith('cli.js'))
  const named = args.find((arg) => arg === 'writer' || arg === 'reader')
  return named ?? (cli >= 0 ? 'supervisor' : 'other')
}

/** Fields 3 and later of `stat`: state, parent and others; the name before them may have spaces. */
export const readStat = (pid: number): string[] => {
  const stat = readProc(pid, 'stat')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Fields 14 to 17. */
const readCpuSeconds = (pid: number): number => {
  const ticks = readStat(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}

const readMebibytes = (pid: number): number => {
  const [, kibibytes = '0'] = /^Pss:\s+(\d+) kB/m.exec(readProc(pid, 'smaps_rollup')) ?? []
  return Math.round(Number(kibibytes) / 1024)
}

export const readProcesses = (pids: readonly number[]): MachineProcess[] =>
  pids.map((pid) => ({
    pid,
    role: findRole(pid),
    cpuSeconds: readCpuSeconds(pid),
    mebibytes: readMebibytes(pid),
  }))
